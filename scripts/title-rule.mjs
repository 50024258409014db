// The ESLint rule by which the title of a test completes "it …" with a verb, and keeps to wording-rules.mjs.
import { faultsOfWording } from './wording-rules.mjs';

const CASE = new Set(['it', 'test']);
const SUITE = new Set(['describe']);
/** A verb in the third person, or the value of a table in its place. */
const VERB = /^(?:[a-z-]+s\b|cannot\b|[%$])/;
const NO_VERBS =
  /^(?:this|its|as|always|others|whose|these|theirs|thus|perhaps|unless|besides|is told|is asked)\b/;

/** @returns the name of the function that a test or a table of tests is given to: `it`, `it.only` and `it.each(…)` are `it` */
function nameOf(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return nameOf(callee.object);
  if (callee.type === 'CallExpression') return nameOf(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return nameOf(callee.tag);
  return undefined;
}

/** @returns the text of a literal title; values in a template are `%s` */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map((part) => part.value.cooked ?? '').join('%s');
  return undefined;
}

export const titleRule = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      verb: '"{{title}}" does not complete "it …" with a verb in the third person: rejects, posts, keeps.',
      fault: '"{{found}}" ({{name}}): write {{write}}.',
    },
  },
  create(context) {
    return {
      CallExpression(node) {
        const name = nameOf(node.callee);
        const title = textOf(node.arguments[0]);
        if (title === undefined || !(CASE.has(name) || SUITE.has(name))) return;
        if (CASE.has(name) && (!VERB.test(title) || NO_VERBS.test(title)))
          context.report({ node, messageId: 'verb', data: { title } });
        for (const { rule, found } of faultsOfWording(title))
          context.report({ node, messageId: 'fault', data: { found, name: rule.name, write: rule.write } });
      },
    };
  },
};
