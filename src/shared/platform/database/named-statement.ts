/** A statement with numbered parameters, and their values. */
export type Statement = [text: string, values: unknown[]];

/**
 * Prepares a text whose parameters have names, such as `$createdAt`. The text must be a constant.
 * @returns a function that takes the values by name; `undefined` is NULL
 */
export function namedStatement<Values extends object>(text: string): (values: Values) => Statement {
  const names = [...new Set(Array.from(text.matchAll(/\$([a-z]\w*)/gi), ([, name]) => name!))];
  const numbered = text.replace(/\$([a-z]\w*)/gi, (_, name: string) => `$${names.indexOf(name) + 1}`);
  return (values) => {
    const missing = names.find((name) => !(name in values));
    if (missing !== undefined) throw new Error(`The statement needs a value for $${missing}.`);
    return [numbered, names.map((name) => values[name as keyof Values])];
  };
}
