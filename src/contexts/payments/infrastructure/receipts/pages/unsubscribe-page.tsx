import { DocumentShell, htmlDocument } from '#shared/web/document/document-shell.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { RECEIPT_PAGE_ASSETS } from './receipt-page.js';
import { RECEIPT_MESSAGES } from './receipt-messages.js';

export function renderMailUnsubscribePage(
  { code, unsubscribed }: { readonly code: string; readonly unsubscribed: boolean },
  language: PageLanguage,
): string {
  const text = RECEIPT_MESSAGES[language];
  return htmlDocument(
    <DocumentShell
      language={language}
      title={unsubscribed ? text.unsubscribed : text.unsubscribeTitle}
      style={RECEIPT_PAGE_ASSETS.style}
    >
      <main class="error">
        <section>
          <h1>{unsubscribed ? text.unsubscribed : text.unsubscribeTitle}</h1>
          <p>{unsubscribed ? text.unsubscribedNote : text.unsubscribeNote}</p>
          {!unsubscribed && (
            <form method="post" action={`/unsubscribe/${encodeURIComponent(code)}`}>
              <button class="button primary">{text.unsubscribe}</button>
            </form>
          )}
        </section>
      </main>
    </DocumentShell>,
  );
}
