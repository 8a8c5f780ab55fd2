import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const FILES: Record<string, string> = {
  'source.dot': 'dot',
  'source.attractor.condition': 'condition',
  'source.attractor.stylesheet': 'stylesheet',
  'text.attractor.template': 'template',
};

async function loadGrammar() {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await oniguruma.loadWASM((await readFile(wasm)).buffer as ArrayBuffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = new URL(`../syntaxes/${FILES[scope]}.tmLanguage.json`, import.meta.url);
      return textmate.parseRawGrammar(await readFile(file, 'utf8'), file.pathname);
    },
  });
  const grammar = await registry.loadGrammar('source.dot');
  assert.ok(grammar);
  return grammar;
}

const grammar = await loadGrammar();

test('the grammars are what their script makes of the word lists', () => {
  const script = fileURLToPath(new URL('../scripts/grammar.mjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

/** The innermost scope of every token that has one besides the file's, as `text scope`. */
function scopes(text: string): string[] {
  let state = textmate.INITIAL;
  return text.split('\n').flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens
      .map((token) => ({ text: line.slice(token.startIndex, token.endIndex).trim(), scope: token.scopes.at(-1) ?? '' }))
      .filter(({ text, scope }) => text !== '' && !/^(source\.dot|meta\.)/.test(scope))
      .map(({ text, scope }) => `${text} ${scope}`);
  });
}

test('a graph, its defaults, its nodes and edges', () => {
  assert.deepEqual(scopes('strict digraph release { node [shape=box]\n a -> b:n // end\n}'), [
    'strict storage.modifier.dot',
    'digraph storage.type.dot',
    'release entity.name.type.graph.dot',
    'node keyword.other.defaults.dot',
    'shape entity.other.attribute-name.dot',
    '= keyword.operator.assignment.dot',
    'box constant.other.value.dot',
    'a variable.other.node.dot',
    '-> keyword.operator.edge.dot',
    'b variable.other.node.dot',
    ': punctuation.separator.dot',
    'n variable.other.node.dot',
    '// end comment.line.double-slash.dot',
  ]);
});

test('conditions inside strings, and the string ends where it ends', () => {
  assert.deepEqual(scopes('a -> b [condition="outcome=success and x == \\"y\\"", label=z]').slice(4), [
    '= keyword.operator.assignment.dot',
    '" punctuation.definition.string.begin.dot',
    'outcome variable.other.key.condition',
    '= keyword.operator.comparison.condition',
    'success constant.language.status.condition',
    'and keyword.operator.logical.condition',
    'x variable.other.key.condition',
    '== keyword.operator.comparison.condition',
    '\\"y\\" string.quoted.double.condition',
    '" punctuation.definition.string.end.dot',
    ', punctuation.separator.dot',
    'label entity.other.attribute-name.dot',
    '= keyword.operator.assignment.dot',
    'z constant.other.value.dot',
  ]);
});

test('templates across lines; apostrophes and backticks do not run away', () => {
  const found = scopes('a [prompt="# Don\'t\nuse `x\nbut {stdout:-none} for $goal", timeout=10m]');
  assert.ok(found.includes('{stdout:-none} variable.other.key.template'));
  assert.ok(found.includes('$goal variable.other.key.template'));
  assert.deepEqual(found.slice(-5), [
    '" punctuation.definition.string.end.dot',
    ', punctuation.separator.dot',
    'timeout entity.other.attribute-name.dot',
    '= keyword.operator.assignment.dot',
    '10m constant.numeric.duration.dot',
  ]);
});

test('stylesheets inside strings', () => {
  const found = scopes('model_stylesheet = ".hard { model: gpt-5.4; }"');
  assert.ok(found.includes('.hard entity.other.attribute-name.class.stylesheet'));
  assert.ok(found.includes('gpt-5.4 support.constant.property-value.stylesheet'));
});

test('bare dotted keys and values, HTML strings', () => {
  assert.deepEqual(scopes('g [human.default_choice=b, model=gpt-5.4, label=<a <b>x</b>>, x=y]').slice(1, 7), [
    'human.default_choice entity.other.attribute-name.dot',
    '= keyword.operator.assignment.dot',
    'b constant.other.value.dot',
    ', punctuation.separator.dot',
    'model entity.other.attribute-name.dot',
    '= keyword.operator.assignment.dot',
  ]);
  assert.deepEqual(scopes('g [label=<a <b>x</b>>, x=y]').slice(-3), [
    'x entity.other.attribute-name.dot',
    '= keyword.operator.assignment.dot',
    'y constant.other.value.dot',
  ]);
});
