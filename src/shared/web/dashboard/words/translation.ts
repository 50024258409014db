/** Spanish and Portuguese translation. */
export type Translation = readonly [es: string, pt: string];

/**
 * Translations by English text, as used in the pages. `{name}`: a placeholder. `one|several`: chosen by the value `count`.
 */
export type Translations = Readonly<Record<string, Translation>>;
