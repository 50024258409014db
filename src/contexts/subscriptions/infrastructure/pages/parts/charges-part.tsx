import type { VNode } from 'preact';
import { EXACT } from '#shared/web/parts/exact.js';
import type { PageWords, PartProps } from '../page-words.js';
import { pathOf, type ShownCharge } from '../subscription-page-model.js';

export function ChargesPart({ model, words }: PartProps): VNode {
  const { text } = words;
  const { charges, page, pages } = model;
  return (
    <section class="work charges" aria-labelledby="payments">
      <h2 id="payments">{text.payments}</h2>
      {pages === 0 && <p class="note">{text.noPayments}</p>}
      {charges.length > 0 && (
        <ul>
          {charges.map((charge) => (
            <Row charge={charge} words={words} />
          ))}
        </ul>
      )}
      {(page > 1 || page < pages) && (
        <p class="turn">
          {page > 1 && (
            <a href={pathOf(model, `?page=${Math.min(page - 1, pages)}#payments`)}>{text.newer}</a>
          )}
          {page < pages && <a href={pathOf(model, `?page=${page + 1}#payments`)}>{text.older}</a>}
        </p>
      )}
    </section>
  );
}

function Row({ charge, words }: { charge: ShownCharge; words: PageWords }): VNode {
  const { kind, state } = stateOf(charge, words);
  return (
    <li class="charge">
      <span>{words.date(charge.dueAt)}</span>
      <span class="amount" {...EXACT}>
        {words.price}
      </span>
      <span class={`state ${kind}`}>{state}</span>
    </li>
  );
}

function stateOf({ status, missed, paidAt }: ShownCharge, { text, date }: PageWords) {
  if (status === 'paid') return { kind: 'good', state: text.paid(date(paidAt!)) };
  if (status === 'unpaid') return { kind: 'bad', state: text.unpaid };
  return missed ? { kind: 'care', state: text.overdue } : { kind: 'care', state: text.open };
}
