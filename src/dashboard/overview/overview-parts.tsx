import type { ComponentChildren, VNode } from 'preact';
import { StateMark } from '#shared/web/dashboard/list-parts.js';
import { Money } from '#shared/web/parts/money.js';
import { changeOf, pointsOf, shownAttention, shownTenths, shownWithin } from './overview-texts.js';
import type { Overview } from './overview.js';
import type { Attention } from './standing.js';

interface AttentionProps {
  readonly attention: readonly Attention[];
  readonly networkName: (network: string) => string;
}

/** Each thing that goes wrong or stands still without the merchant leads to where it is dealt with. */
export function AttentionCard({ attention, networkName }: AttentionProps): VNode {
  const items = shownAttention(attention, networkName);
  return (
    <section class="card">
      <h2>Needs attention</h2>
      {items.length === 0 ? (
        <p class="note">Nothing waits for you.</p>
      ) : (
        <ul class="attention">
          {items.map(({ tone, word, text, href }) => (
            <li>
              <StateMark tone={tone}>{word}</StateMark>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Currencies beyond these are in the table of money. */
const SHOWN_CURRENCIES = 2;

/** The span at a glance, each figure against as many days before. */
export function Glance({ overview, span }: { overview: Overview; span: number }): VNode {
  const { payments, conversion, currencies, paidWithin } = overview;
  const before = (change: string | undefined) =>
    change === undefined ? 'nothing to compare with' : `${change} against the ${span} days before`;
  const counted = { now: BigInt(payments.now), before: BigInt(payments.before) };
  return (
    <section class="card">
      <h2>{`The last ${span} days`}</h2>
      <dl class="glance">
        {currencies.slice(0, SHOWN_CURRENCIES).map(({ currency, decimals, volume }) => (
          <Figure name="Volume" note={before(changeOf(volume))}>
            <Money amount={volume.now} decimals={decimals} symbol={currency} />
          </Figure>
        ))}
        <Figure name="Payments" note={before(changeOf(counted))}>
          {payments.now.toLocaleString('en')}
        </Figure>
        <Figure name="Conversion" note={before(pointsOf(conversion))}>
          {shownTenths(conversion.now)}
        </Figure>
        {paidWithin !== undefined && (
          <Figure name="Paid within" note={`nine of ten within ${shownWithin(paidWithin.most)}`}>
            {shownWithin(paidWithin.half)}
          </Figure>
        )}
      </dl>
      <p class="note">
        Volume is final money, by the UTC day of its booking. Conversion is the share of ended payment
        requests that were paid in full. Today is not over.
      </p>
    </section>
  );
}

function Figure({
  name,
  note,
  children,
}: {
  name: string;
  note: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd class="note">{note}</dd>
    </div>
  );
}
