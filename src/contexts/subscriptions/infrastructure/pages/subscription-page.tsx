import type { VNode } from 'preact';
import { NOT_TRANSLATED, DetailItem } from '#shared/web/parts/detail-item.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { PayerPage } from '#shared/web/document/payer-page.js';
import { CARD_STYLES, inlineAsset, type PageAssets } from '#shared/web/document/inline-asset.js';
import { isolateTextDirection, stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import {
  isOver,
  type PageWords,
  type PartProps,
  subscriptionPagePath,
  type DisplayedCharge,
  type SubscriptionPageModel,
  wordsOf,
} from './subscription-page-model.js';

/** The page needs no script, because forms and links do everything. */
export const SUBSCRIPTION_PAGE_ASSETS = {
  style: inlineAsset(...CARD_STYLES, new URL('./subscription.browser.css', import.meta.url)),
  script: undefined,
} satisfies PageAssets;

export interface SubscriptionPageProps {
  readonly model: SubscriptionPageModel;
  readonly language: PageLanguage;
}

function SubscriptionPage({ model, language }: SubscriptionPageProps): VNode {
  const words = wordsOf(model, language);
  return (
    <PayerPage
      language={language}
      title={words.text.title(model.merchant)}
      assets={SUBSCRIPTION_PAGE_ASSETS}
      merchant={model.merchant}
      branding={model.branding}
      sandbox={model.sandbox}
    >
      <main class="wide">
        <section class="summary" aria-labelledby="title">
          <h1 id="title">
            <span class="label">{words.text.subscription}</span>{' '}
            <span class="price" {...NOT_TRANSLATED}>
              {words.price}
            </span>{' '}
            <span>{words.text.every[model.interval]}</span>
          </h1>
          <Description model={model} />
        </section>
        <div class="now">
          <StatusPart model={model} words={words} />
          <ChargesPart model={model} words={words} />
        </div>
        <TermsPart model={model} words={words} />
      </main>
      {model.sandbox && (
        <footer>
          <p>{SHARED_MESSAGES[language].sandboxNote}</p>
        </footer>
      )}
    </PayerPage>
  );
}

export function renderSubscriptionPage(model: SubscriptionPageModel, language: PageLanguage): string {
  return htmlDocument(<SubscriptionPage model={stripDirectionControls(model)} language={language} />);
}

/** Purpose of the payments, in the merchant's words. */
export function Description({ model: { description } }: Pick<PartProps, 'model'>): VNode | null {
  if (description === undefined) return null;
  return <p dir="auto">{description}</p>;
}

interface StatusWords {
  readonly title: string;
  readonly notes: readonly string[];
}

function StatusPart({ model, words }: PartProps): VNode {
  const { title, notes } = statusWords(model, words);
  return (
    <section class={`work status ${model.status}`} aria-labelledby="status">
      <div class="line">
        <span class="mark" aria-hidden="true"></span>
        <h2 id="status">{title}</h2>
      </div>
      {notes.map((note) => (
        <p>{note}</p>
      ))}
      <PayPart model={model} words={words} />
      {!isOver(model) && (
        <dl class="facts next">
          <NextChargeFact model={model} words={words} />
        </dl>
      )}
    </section>
  );
}

function NextChargeFact({ model, words: { text, date, price } }: PartProps): VNode {
  const isPending = model.status === 'pending';
  const none = isPending ? text.whenAccepted : text.noneFollows;
  const trialEnd = model.freeUntil !== undefined && model.freeUntil > model.now ? model.freeUntil : undefined;
  const at = isPending ? trialEnd : model.nextAt;
  return (
    <DetailItem name={isPending ? text.firstCharge : text.nextCharge}>
      {at === undefined ? none : `${date(at)} · ${price}`}
    </DetailItem>
  );
}

function statusWords(model: SubscriptionPageModel, { text, date, moment }: PageWords): StatusWords {
  const merchant = isolateTextDirection(model.merchant);
  const { nextAt, toPay, now } = model;
  switch (model.status) {
    case 'pending':
      return { title: text.offered, notes: [text.offeredNote(moment(model.offeredUntil))] };
    case 'active': {
      const isFree = model.freeUntil !== undefined && model.freeUntil > now;
      const charged = toPay === undefined ? text.active : text.toPay;
      const title = isFree ? text.freeNow(date(model.freeUntil)) : charged;
      return { title, notes: nextAt === undefined ? [] : [text.activeNote] };
    }
    case 'past_due':
      return { title: text.pastDue, notes: [toPay === undefined ? text.pastDueLater : text.pastDueNote] };
    case 'completed':
      return { title: text.completed, notes: [`${text.completedNote} ${text.nothingMore}`] };
    case 'expired':
      return { title: text.expired, notes: [text.expiredNote(merchant)] };
    case 'revoked': {
      const by = model.revokedBy === undefined ? [] : [text.revokedBy[model.revokedBy](merchant)];
      const isOneOpen = model.charges.some(({ status }) => status === 'open');
      const notes = [[...by, text.nothingMore].join(' '), ...(isOneOpen ? [text.openRunsOut] : [])];
      return { title: text.revoked, notes };
    }
  }
}

export function PayPart({ model, words: { text, price, date, moment } }: PartProps): VNode | null {
  const { toPay } = model;
  if (toPay === undefined) return null;
  return (
    <div class="pay">
      <dl class="facts">
        <DetailItem name={text.due}>{date(toPay.dueAt)}</DetailItem>
        <DetailItem name={text.payableUntil}>{moment(toPay.until)}</DetailItem>
      </dl>
      {toPay.refused && (
        <p class="warning" role="alert">
          {text.refused}
        </p>
      )}
      <form method="post" action={subscriptionPagePath(model, '/pay')}>
        <button class="button primary">{text.payNow(price)}</button>
      </form>
    </div>
  );
}

function ChargesPart({ model, words }: PartProps): VNode {
  const { text } = words;
  const { charges, page, pages } = model;
  return (
    <section class="work charges" aria-labelledby="charges">
      <h2 id="charges">{text.charges}</h2>
      {pages === 0 && <p class="note">{text.noCharges}</p>}
      {charges.length > 0 && (
        <ul>
          {charges.map((charge) => (
            <ChargeItem charge={charge} words={words} />
          ))}
        </ul>
      )}
      {(page > 1 || page < pages) && (
        <p class="turn">
          {page > 1 && (
            <a href={subscriptionPagePath(model, `?page=${Math.min(page - 1, pages)}#charges`)}>
              {text.newer}
            </a>
          )}
          {page < pages && (
            <a href={subscriptionPagePath(model, `?page=${page + 1}#charges`)}>{text.older}</a>
          )}
        </p>
      )}
    </section>
  );
}

function ChargeItem({ charge, words }: { charge: DisplayedCharge; words: PageWords }): VNode {
  const { kind, state } = chargeStateOf(charge, words);
  return (
    <li class="charge">
      <span>{words.date(charge.dueAt)}</span>
      <span class="amount" {...NOT_TRANSLATED}>
        {words.price}
      </span>
      <span class={`state ${kind}`}>{state}</span>
    </li>
  );
}

function chargeStateOf({ status, missed, paidAt }: DisplayedCharge, { text, date }: PageWords) {
  if (status === 'paid') return { kind: 'good', state: text.paid(date(paidAt!)) };
  if (status === 'unpaid') return { kind: 'bad', state: text.unpaid };
  return missed ? { kind: 'care', state: text.overdue } : { kind: 'care', state: text.open };
}

function TermsPart({ model, words: { text, price, date } }: PartProps): VNode {
  const { acceptedAt, firstDueAt, freeUntil, endsAt } = model;
  return (
    <section class="work terms" aria-labelledby="agreed">
      <h2 id="agreed">{text.agreed}</h2>
      <dl class="facts">
        <DetailItem name={text.merchant}>
          <bdi>{model.merchant}</bdi>
        </DetailItem>
        <DetailItem name={text.amount}>
          {price} {text.every[model.interval]}
        </DetailItem>
        <DetailItem name={text.asset}>
          {model.assetName} ({model.symbol})
        </DetailItem>
        <DetailItem name={text.network}>{model.networkName}</DetailItem>
        <DetailItem name={text.freeUntil}>{freeUntil !== undefined && date(freeUntil)}</DetailItem>
        <DetailItem name={text.firstCharge}>{firstDueAt !== undefined && date(firstDueAt)}</DetailItem>
        <DetailItem name={text.ends}>{endsAt !== undefined && date(endsAt)}</DetailItem>
        <DetailItem name={text.acceptedOn}>{acceptedAt !== undefined && date(acceptedAt)}</DetailItem>
      </dl>
      {!isOver(model) && (
        <a class="button" href={subscriptionPagePath(model, '/revoke')}>
          {text.revoke}
        </a>
      )}
    </section>
  );
}
