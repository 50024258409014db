// @ts-check
// Makes elements, and sentences out of templates.

/** @param {string} tag @param {object} [properties] @param {(Node | string | undefined)[]} [children] */
export function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  for (const child of children) if (child) made.append(child);
  return made;
}

/** @param {string} template with names in braces @param {Record<string, string>} words */
export const filled = (template, words) =>
  template.replace(/\{(\w+)\}/g, (_, name) => `\u2068${plain(words[name] ?? '')}\u2069`);

/** Without what makes words read in another order than they are written. @param {string} words */
export const plain = (words) =>
  words.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, ' ').slice(0, 200);
