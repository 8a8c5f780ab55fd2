/** The manifest, the code and the README say the same thing. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const manifest = JSON.parse(read('package.json'));
const sources = readdirSync(new URL('src', root)).filter((name) => name.endsWith('.ts'));
const code = sources.map((name) => read(`src/${name}`)).join('\n');

const contributed: string[] = manifest.contributes.commands.map((it: { command: string }) => it.command);

test('every command of the manifest is registered, and the other way round', () => {
  const registered = [...code.matchAll(/\b(?:command|registerCommand)\('(attractor\.[\w.]+)'/g)].map((it) => it[1]);
  assert.deepEqual([...contributed].sort(), [...new Set(registered)].sort());
});

test('menus, keys and the walkthrough name commands that exist', () => {
  const named = [...read('package.json').matchAll(/"command": "(attractor\.[\w.]+)"|command:(attractor\.[\w.]+)/g)];
  for (const [, plain, linked] of named) assert.ok(contributed.includes(plain ?? linked ?? ''), plain ?? linked);
});

test('every setting has a description, and the README lists it', () => {
  const readme = read('README.md');
  for (const page of manifest.contributes.configuration) {
    for (const [name, setting] of Object.entries<Record<string, unknown>>(page.properties)) {
      assert.ok(setting['description'] ?? setting['markdownDescription'], name);
      const family = name.replace(/\.\w+$/, '.*');
      const listed = readme.includes(`\`${name}\``) || readme.includes(`\`${family}\``);
      assert.ok(listed || name === 'attractor.trace.server', `${name} is not in the README`);
    }
  }
});

test('no text for the user names an option of the command line', () => {
  // The arguments of tasks are a command line: they run in a terminal. The offer to install names a command of Cargo.
  const commandLines = ['tasks.ts', 'installOffer.ts'];
  const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' });
  const scripts = files.filter((name) => name.endsWith('.ts') && !commandLines.includes(name)).map((name) => `src/${name}`);
  assert.ok(scripts.length > 40);
  const walkthrough = readdirSync(new URL('media/walkthrough', root)).map((name) => `media/walkthrough/${name}`);
  for (const file of [...scripts, ...walkthrough]) {
    // Variables of CSS begin in the same way.
    const options = read(file).match(/(?<![\w-]|var\()--[a-z][\w-]*/g);
    assert.equal(options, null, file);
  }
  const { contributes, description, capabilities } = manifest;
  assert.doesNotMatch(JSON.stringify({ contributes, description, capabilities }), /(?<![\w-])--[a-z]/);
});

test('every file the manifest names is there', () => {
  const files = [...read('package.json').matchAll(/"\.?\/?((?:media|syntaxes)\/[^"]+)"/g)].map((it) => it[1] ?? '');
  assert.ok(files.length >= 10);
  for (const file of files) assert.ok(existsSync(new URL(file, root)), file);
});

test('the grammars are what their script writes', () => {
  execFileSync(process.execPath, ['scripts/grammar.mjs', '--check'], { cwd: root, stdio: 'pipe' });
});
