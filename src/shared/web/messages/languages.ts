/** Values of `<html lang>`. The first is the default. */
export const PAGE_LANGUAGES = ['en', 'es', 'pt'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Strings of a group of pages. A missing key in a language does not compile. */
export type Catalogue<Messages> = Readonly<Record<PageLanguage, Messages>>;

/** Spanish and Portuguese translation. */
export type Translation = readonly [es: string, pt: string];

/**
 * Translations by English text, as used in the pages. `{name}`: a placeholder. `one|several`: chosen by the value `count`.
 */
export type Translations = Readonly<Record<string, Translation>>;
