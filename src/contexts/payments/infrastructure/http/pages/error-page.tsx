import type { VNode } from 'preact';
import { DocumentShell } from './document-shell.js';
import { MESSAGES, type PageLanguage } from './messages.js';

export type PageErrorStatus = 404 | 429 | 503;

/** What to do when there is no page to show. */
export function ErrorPage({ status, language }: { status: PageErrorStatus; language: PageLanguage }): VNode {
  const text = MESSAGES[language];
  const [title, note] = {
    404: [text.notFound, text.notFoundNote],
    429: [text.tooMany, text.tooManyNote],
    503: [text.unavailable, text.unavailableNote],
  }[status];
  return (
    <DocumentShell language={language} title={title!}>
      <main class="error">
        <section>
          <h1>{title}</h1>
          <p>{note}</p>
          {status !== 404 && (
            <p>
              {/* The address of this very page. */}
              <a class="button primary" href="">
                {text.tryAgain}
              </a>
            </p>
          )}
        </section>
      </main>
    </DocumentShell>
  );
}
