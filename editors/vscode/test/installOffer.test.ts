import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { installOffer } from '../src/installOffer.ts';

test('Linux has a command, and its message contains it', () => {
  const { advice, command } = installOffer('linux');
  assert.equal(command, 'cargo install --locked --git https://github.com/attractor-dot/attractor attractor-cli');
  assert.ok(advice.endsWith(command ?? ''));
});

test('Windows is referred to WSL, and other platforms to the page', () => {
  assert.match(installOffer('win32').advice, /WSL/);
  assert.equal(installOffer('win32').command, undefined);
  assert.equal(installOffer('darwin').command, undefined);
});

const page = new URL('../../../docs/install.md', import.meta.url);
let text: string | undefined;
try {
  text = readFileSync(page, 'utf8');
} catch {
  // The extension is tested in a copy without the documentation, too.
}

test('the sections of the page exist', { skip: text === undefined }, () => {
  const headings = [...(text ?? '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    (heading ?? '').toLowerCase().replace(/[^a-z0-9 -]/g, '').replaceAll(' ', '-'),
  );
  for (const platform of ['linux', 'win32', 'darwin']) {
    const section = installOffer(platform).page.split('#')[1];
    assert.ok(section !== undefined && headings.includes(section), section);
  }
});
