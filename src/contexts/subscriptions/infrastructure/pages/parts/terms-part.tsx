import type { VNode } from 'preact';
import { Fact } from '#shared/web/parts/fact.js';
import type { PartProps } from '../page-words.js';
import { isOver, pathOf } from '../subscription-page-model.js';

export function TermsPart({ model, words: { text, price, date } }: PartProps): VNode {
  const { acceptedAt, freeUntil, endsAt } = model;
  return (
    <section class="work terms" aria-labelledby="agreed">
      <h2 id="agreed">{text.agreed}</h2>
      <dl class="facts">
        <Fact name={text.amount}>
          {price} {text.every[model.interval]}
        </Fact>
        <Fact name={text.asset}>
          {model.assetName} ({model.symbol})
        </Fact>
        <Fact name={text.network}>{model.networkName}</Fact>
        {freeUntil !== undefined && <Fact name={text.freeUntil}>{date(freeUntil)}</Fact>}
        {endsAt !== undefined && <Fact name={text.ends}>{date(endsAt)}</Fact>}
        {acceptedAt !== undefined && <Fact name={text.acceptedOn}>{date(acceptedAt)}</Fact>}
      </dl>
      {!isOver(model) && (
        <a class="button" href={pathOf(model, '/revoke')}>
          {text.revoke}
        </a>
      )}
    </section>
  );
}
