/** Languages of the pages, as in `<html lang>`. The first is the default. */
export const PAGE_LANGUAGES = ['en', 'es', 'pt'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** Each name is in the language itself. */
export const LANGUAGE_NAMES: MessageCatalogue<string> = { en: 'English', es: 'Español', pt: 'Português' };

/** Texts of some pages in all languages. A text that is missing in a language does not compile. */
export type MessageCatalogue<Messages> = Readonly<Record<PageLanguage, Messages>>;

/** Spanish and Portuguese translation of an English text. */
export type Translation = readonly [es: string, pt: string];

/** The keys are English texts. In `one|several`, the value of `count` decides. */
export type Translations = Readonly<Record<string, Translation>>;
