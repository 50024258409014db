/** Values of `<html lang>`; the first is for readers who speak none of them. */
export const PAGE_LANGUAGES = ['en', 'es', 'pt'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The texts of a family of pages: each language has the same keys, or does not compile. */
export type Catalogue<Messages> = Readonly<Record<PageLanguage, Messages>>;
