import type { VNode } from 'preact';
import { isolated } from '#shared/web/formatting/plain-text.js';
import { Fact } from '#shared/web/parts/fact.js';
import { isOver, type SubscriptionPageModel } from '../subscription-page-model.js';
import type { PageWords, PartProps } from '../page-words.js';
import { PayPart } from './pay-part.js';

interface StatusWords {
  readonly title: string;
  readonly notes: readonly string[];
}

export function StatusPart({ model, words }: PartProps): VNode {
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
          <Next model={model} words={words} />
        </dl>
      )}
    </section>
  );
}

function Next({ model, words: { text, date, price } }: PartProps): VNode {
  const isPending = model.status === 'pending';
  const none = isPending ? text.whenAccepted : text.noneFollows;
  return (
    <Fact name={isPending ? text.firstPayment : text.nextPayment}>
      {model.nextAt === undefined ? none : `${date(model.nextAt)} · ${price}`}
    </Fact>
  );
}

function statusWords(model: SubscriptionPageModel, { text, date, moment }: PageWords): StatusWords {
  const merchant = isolated(model.merchant);
  const { nextAt, toPay, now } = model;
  switch (model.status) {
    case 'pending':
      return { title: text.offered, notes: [text.offeredNote(moment(model.offeredUntil))] };
    case 'active': {
      const isFree = model.freeUntil !== undefined && model.freeUntil > now;
      const title = isFree ? text.freeNow(date(model.freeUntil)) : text.active;
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
