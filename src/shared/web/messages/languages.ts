/** Values of `<html lang>`. The first is the default. */
export const PAGE_LANGUAGES = ['en', 'es', 'pt'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Strings of a group of pages. A missing key in a language does not compile. */
export type Catalogue<Messages> = Readonly<Record<PageLanguage, Messages>>;
