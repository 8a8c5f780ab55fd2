/**
 * Writes syntaxes/*.tmLanguage.json. The grammar is kept here because it repeats itself: an attribute whose
 * value is in a language of its own (condition, stylesheet, template) differs from the next one in two names.
 *
 * Names come from syntaxes/words.json, which the catalogue of the language writes (`just docs`). Attributes are
 * coloured by shape; the server's semantic tokens show which of them are known.
 * `--check` fails when the files are not what this script writes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../syntaxes');
const words = JSON.parse(readFileSync(path.join(folder, 'words.json'), 'utf8'));

/** One of these words or signs; the longest first, since the first that fits is taken. */
function anyOf(names) {
  const escaped = [...names].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const signs = escaped.filter((name) => !/^\w/.test(name)).map((name) => (name === '!' ? '!(?!=)' : name));
  const letters = escaped.filter((name) => /^\w/.test(name));
  return [...signs, ...(letters.length > 0 ? [`\\b(?i:${letters.join('|')})\\b`] : [])].join('|');
}

/** Attributes whose strings are in another language. */
const EMBEDDED = [
  ['condition', 'source.attractor.condition'],
  ['stylesheet', 'source.attractor.stylesheet'],
  ['template', 'text.attractor.template'],
].map(([kind, scope]) => [kind, scope, words.attributes[kind].map((name) => name.replaceAll('.', '\\.')).join('|')]);

const ID = '[A-Za-z_\\x{80}-\\x{10FFFF}][\\w\\x{80}-\\x{10FFFF}]*';
const KEY = `${ID}(?:\\.${ID})*`;

const string = {
  name: 'string.quoted.double.dot',
  begin: '"',
  end: '"',
  patterns: [{ include: '#escape' }],
};

function embedded([kind, scope, names]) {
  return {
    begin: `(?<![\\w.])(${names})(?![\\w.])\\s*(=)\\s*(")`,
    beginCaptures: {
      1: { name: 'entity.other.attribute-name.dot' },
      2: { name: 'keyword.operator.assignment.dot' },
      3: { name: 'string.quoted.double.dot punctuation.definition.string.begin.dot' },
    },
    end: '"',
    endCaptures: { 0: { name: 'string.quoted.double.dot punctuation.definition.string.end.dot' } },
    // Themes paint `meta.embedded` like code; a prompt is text.
    contentName: kind === 'template' ? 'string.quoted.double.dot' : `meta.embedded.${kind}.dot`,
    patterns: [{ include: scope }, { include: '#escape' }],
  };
}

const dot = {
  name: 'DOT Pipeline',
  scopeName: 'source.dot',
  patterns: [{ include: '#comments' }, { include: '#graph' }, { include: '#statement' }],
  repository: {
    comments: {
      patterns: [
        { name: 'comment.line.double-slash.dot', match: '//.*$' },
        { name: 'comment.block.dot', begin: '/\\*', end: '\\*/' },
        { name: 'comment.line.number-sign.dot', match: '#.*$' },
      ],
    },
    graph: {
      match: `(?i:\\b(?:(strict)\\s+)?(digraph|graph|subgraph))\\b(?:\\s+(?!\\[)(${ID}|"(?:[^"\\\\]|\\\\.)*"))?`,
      captures: {
        1: { name: 'storage.modifier.dot' },
        2: { name: 'storage.type.dot' },
        3: { name: 'entity.name.type.graph.dot' },
      },
    },
    statement: {
      patterns: [
        { name: 'keyword.other.defaults.dot', match: '(?i:\\b(?:node|edge|graph))\\b(?=\\s*\\[)' },
        { name: 'keyword.operator.edge.dot', match: '->|--' },
        { begin: '\\[', end: '\\]', name: 'meta.attributes.dot', patterns: [{ include: '#attribute' }] },
        { include: '#attribute-assignment' },
        { name: 'variable.other.node.dot', match: ID },
        { include: '#value' },
        { name: 'punctuation.separator.dot', match: '[;,:]' },
      ],
    },
    attribute: {
      patterns: [
        { include: '#comments' },
        { include: '#attribute-assignment' },
        { include: '#value' },
        { name: 'constant.other.value.dot', match: `[A-Za-z_\\x{80}-\\x{10FFFF}][\\w.:/\\x{80}-\\x{10FFFF}-]*` },
        { name: 'punctuation.separator.dot', match: '[;,]' },
      ],
    },
    'attribute-assignment': {
      patterns: [
        ...EMBEDDED.map(embedded),
        {
          match: `(?:(${KEY})|("(?:[^"\\\\]|\\\\.)*"))\\s*(=)(?!=)`,
          captures: {
            1: { name: 'entity.other.attribute-name.dot' },
            2: { name: 'entity.other.attribute-name.dot' },
            3: { name: 'keyword.operator.assignment.dot' },
          },
        },
      ],
    },
    value: {
      patterns: [
        string,
        { include: '#html' },
        { name: 'keyword.operator.concatenation.dot', match: '\\+' },
        { name: 'constant.numeric.duration.dot', match: '(?<![\\w.])(?:\\d+(?:ms|[smhdw]))+\\b' },
        { name: 'constant.numeric.dot', match: '(?<![\\w.])-?(?:\\.\\d+|\\d+(?:\\.\\d*)?)\\b' },
        { name: 'constant.language.boolean.dot', match: '(?i:(?<=[=\\s])(?:true|false|yes|no))\\b(?=\\s*[\\],;}]|\\s*$|\\s+\\w+\\s*=)' },
      ],
    },
    html: {
      name: 'string.unquoted.html.dot',
      begin: '<',
      end: '>',
      patterns: [{ include: '#html' }],
    },
    escape: { name: 'constant.character.escape.dot', match: '\\\\.' },
  },
};

const condition = {
  name: 'Attractor condition',
  scopeName: 'source.attractor.condition',
  patterns: [
    { name: 'string.quoted.double.condition', match: '\\\\"(?:[^"\\\\]|\\\\[^"])*\\\\"' },
    { name: 'string.quoted.single.condition', match: "'[^'\"]*'" },
    { name: 'keyword.operator.logical.condition', match: anyOf(words.condition.logic) },
    { name: 'keyword.operator.comparison.condition', match: anyOf(words.condition.comparison) },
    { name: 'keyword.control.condition', match: anyOf(words.condition.outcome) },
    { name: 'constant.language.condition', match: anyOf(words.condition.value) },
    { name: 'constant.language.status.condition', match: anyOf(words.condition.status) },
    { name: 'constant.numeric.condition', match: '(?<![\\w.])-?\\d+(?:\\.\\d+)?\\b' },
    { name: 'variable.other.key.condition', match: '[A-Za-z_]\\w*(?:\\.\\w+)*' },
  ],
};

const stylesheet = {
  name: 'Attractor model stylesheet',
  scopeName: 'source.attractor.stylesheet',
  patterns: [
    { name: 'comment.block.stylesheet', match: '/\\*[^"]*?\\*/' },
    {
      match: '([\\w.-]+)\\s*(:)\\s*([^;}"\\\\]*)',
      captures: {
        1: { name: 'support.type.property-name.stylesheet' },
        2: { name: 'punctuation.separator.key-value.stylesheet' },
        3: { name: 'support.constant.property-value.stylesheet' },
      },
    },
    { name: 'entity.other.attribute-name.class.stylesheet', match: '\\.[A-Za-z_][\\w-]*' },
    { name: 'entity.other.attribute-name.id.stylesheet', match: '#[A-Za-z_][\\w.-]*' },
    { name: 'meta.selector.attribute.stylesheet', match: '\\[[^\\]"]*\\]' },
    { name: 'entity.name.tag.wildcard.stylesheet', match: '\\*' },
    { name: 'entity.name.tag.stylesheet', match: '[A-Za-z_][\\w-]*' },
    { name: 'punctuation.section.stylesheet', match: '[{};,]' },
  ],
};

/** One line at a time and never a quote: nothing here can run past the end of the string. */
const template = {
  name: 'Attractor template',
  scopeName: 'text.attractor.template',
  patterns: [
    { name: 'constant.character.escape.template', match: '\\{\\{(?!\\s*[\\w.]+\\s*\\}\\})|\\}\\}' },
    { name: 'variable.other.key.template', match: '\\{\\{\\s*[\\w.]+\\s*\\}\\}' },
    { name: 'variable.other.key.template', match: '\\{[A-Za-z_][\\w.]*(?::-[^}"\\n]*)?(?:\\|raw)?\\}' },
    { name: 'variable.other.key.template', match: '\\$\\{?[A-Za-z_]\\w*\\}?' },
    { name: 'markup.underline.link.template', match: '(?<=")@[^\\s"]+(?=")' },
    { name: 'markup.heading.template', match: '^\\s*#{1,6} [^"\\\\]*' },
    { name: 'markup.bold.template', match: '\\*\\*[^*"]+\\*\\*' },
    { name: 'markup.inline.raw.template', match: '`[^`"\\n]+`' },
    { name: 'punctuation.definition.list.template', match: '^\\s*(?:[-*]|\\d+\\.)(?=\\s)' },
  ],
};

const stale = [];
for (const [name, grammar] of Object.entries({ dot, condition, stylesheet, template })) {
  const file = path.join(folder, `${name}.tmLanguage.json`);
  const text = `${JSON.stringify(grammar, null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) stale.push(name);
}
if (stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}; run node scripts/grammar.mjs`);
  process.exitCode = 1;
}
