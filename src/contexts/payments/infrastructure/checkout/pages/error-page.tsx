import { htmlDocument } from '#shared/web/document/document-shell.js';
import { ErrorPage } from '#shared/web/document/error-page.js';
import { isolateTextDirection, stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { PAYER_PAGE_MESSAGES } from './checkout-page-props.js';
import { PAYER_PAGE_ASSETS } from './page-assets.js';

interface PageErrorFacts {
  readonly requestId?: string;
  /** The path of a failed POST may not support GET. */
  readonly retryPath?: string;
}

type ErrorTexts = readonly [title: string, note: string, wayOn?: string];

export function renderErrorPage(
  status: number,
  language: PageLanguage,
  { requestId, retryPath }: PageErrorFacts = {},
): string {
  const text = PAYER_PAGE_MESSAGES[language];
  const words: Record<number, ErrorTexts> = {
    404: [text.notFound, text.notFoundNote],
    409: [text.notThisWay, text.notThisWayNote, text.backToPayment],
    429: [text.tooMany, text.tooManyNote, text.tryAgain],
    500: [text.broken, text.brokenNote, text.tryAgain],
    503: [text.unavailable, text.unavailableNote, text.tryAgain],
  };
  const notUnderstood: ErrorTexts = [text.notUnderstood, text.notUnderstoodNote, text.backToPayment];
  const [title, note, wayOn] = words[status] ?? notUnderstood;
  const isOurs = status === 500 && requestId !== undefined;
  return htmlDocument(
    <ErrorPage
      language={language}
      style={PAYER_PAGE_ASSETS.style}
      title={title}
      notes={
        isOurs ? [note, text.failureNumber(isolateTextDirection(stripDirectionControls(requestId)))] : [note]
      }
      path={retryPath}
      wayOn={wayOn === undefined ? undefined : { label: wayOn, path: retryPath }}
    />,
  );
}

/** Replaces a sale at a till once its payment is seen, for anyone who opens the printed code. */
export function renderPaidAtTillPage(language: PageLanguage): string {
  const { paidAtTill, paidAtTillNote } = PAYER_PAGE_MESSAGES[language];
  const { style } = PAYER_PAGE_ASSETS;
  return htmlDocument(<ErrorPage {...{ language, style }} title={paidAtTill} notes={[paidAtTillNote]} />);
}
