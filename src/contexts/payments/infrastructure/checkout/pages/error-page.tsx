import type { VNode } from 'preact';
import { DocumentShell } from './document-shell.js';
import { MESSAGES, type PageLanguage } from './messages.js';
import { ownPath } from './page-links.js';
import { isolated, plain } from '../../../../../shared/web/plain-text.js';

export type PageErrorStatus = 400 | 404 | 409 | 429 | 500 | 503;

export interface PageErrorFacts {
  /** What support finds this failure by. */
  readonly requestId?: string;
  /** Where a GET shows the page again; a failed POST may have gone to a path that has none. */
  readonly retryPath?: string;
}

interface ErrorPageProps extends PageErrorFacts {
  readonly status: PageErrorStatus;
  readonly language: PageLanguage;
}

/** What to do when there is no page to show. */
export function ErrorPage({ status, language, requestId, retryPath }: ErrorPageProps): VNode {
  const text = MESSAGES[language];
  const [title, note, wayOn] = {
    400: [text.notUnderstood, text.notUnderstoodNote, text.backToPayment],
    404: [text.notFound, text.notFoundNote, undefined],
    409: [text.notThisWay, text.notThisWayNote, text.backToPayment],
    429: [text.tooMany, text.tooManyNote, text.tryAgain],
    500: [text.broken, text.brokenNote, text.tryAgain],
    503: [text.unavailable, text.unavailableNote, text.tryAgain],
  }[status] as [string, string, string | undefined];
  const href = ownPath(retryPath);
  return (
    <DocumentShell language={language} title={title}>
      <main class="error">
        <section>
          <h1>{title}</h1>
          <p>{note}</p>
          {status === 500 && requestId !== undefined && (
            <p>{text.failureNumber(isolated(plain(requestId)))}</p>
          )}
          {wayOn !== undefined && href !== undefined && (
            <p>
              <a class="button primary" href={href}>
                {wayOn}
              </a>
            </p>
          )}
        </section>
      </main>
    </DocumentShell>
  );
}
