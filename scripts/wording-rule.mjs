// The ESLint rule by which texts of the source (pages, errors, log messages, operator help, OpenAPI) keep to wording-rules.mjs.
// SQL, names and single words are no texts: a text has four words or more.
import { faultsOfWording } from './wording-rules.mjs';

const IS_TEXT = /\S(?:\s+\S+){3}/;
const IS_SQL = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|FROM|AND)\b/;

export const wordingRule = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { fault: '"{{found}}" ({{name}}): write {{write}}.' },
  },
  create(context) {
    const check = (node, text) => {
      if (!IS_TEXT.test(text) || IS_SQL.test(text)) return;
      for (const { rule, found } of faultsOfWording(text))
        context.report({ node, messageId: 'fault', data: { found, name: rule.name, write: rule.write } });
    };
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked ?? ''),
      JSXText: (node) => check(node, node.value.trim()),
    };
  },
};
