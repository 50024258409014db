/** A text in Spanish and in Portuguese. */
export type Translation = readonly [es: string, pt: string];

/** Translations by the English text, which stands in the pages. `{name}`: a value. `one|several`: by the value `count`. */
export type Translations = Readonly<Record<string, Translation>>;
