import type { VNode } from 'preact';
import { LANGUAGE_NAMES, PAGE_LANGUAGES, type PageLanguage } from '../messages/languages.js';
import { SHARED_MESSAGES } from '../messages/shared-messages.js';

interface LanguageSwitchProps {
  readonly language: PageLanguage;
  /** Path to return to, for a page that answers a POST. Default: the path of the page. */
  readonly path?: string | undefined;
}

/** The server remembers the language and redirects to the same page. */
export function LanguageSwitch({ language, path = '' }: LanguageSwitchProps): VNode {
  return (
    <nav class="languages" aria-label={SHARED_MESSAGES[language].language}>
      {PAGE_LANGUAGES.map((each) => (
        <a
          href={`${path}${path.includes('?') ? '&' : '?'}lang=${each}`}
          lang={each}
          hreflang={each}
          aria-current={each === language ? 'true' : undefined}
        >
          {LANGUAGE_NAMES[each]}
        </a>
      ))}
    </nav>
  );
}
