import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type Column, EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import { Card, StateMark } from '#shared/web/dashboard/page-parts.js';
import { LANGUAGE, type TranslatedPhrase, t, type Word } from '#shared/web/dashboard/words/text.js';
import { Count, Money } from '#shared/web/parts/values.js';
import { changeOf, pointsOf, shownAttention, shownTenths, shownWithin } from './overview-texts.js';
import type { CurrencyVolume, Overview } from './overview.js';
import type { Attention } from './overview-queries.js';

interface AttentionProps {
  readonly attention: readonly Attention[];
  readonly networkName: (network: string) => string;
}

/** Lists problems and waiting work, each with a link to the page where the merchant can act. */
export function AttentionCard({ attention, networkName }: AttentionProps): VNode {
  const items = shownAttention(attention, networkName);
  return (
    <Card title="Needs attention">
      {items.length === 0 ? (
        <p class="note">{t('Nothing needs your attention.')}</p>
      ) : (
        <ul class="attention">
          {items.map(({ tone, word, text, href }) => (
            <li>
              <StateMark tone={tone}>{t(word)}</StateMark>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Further currencies appear only in the money table. */
const SHOWN_CURRENCIES = 2;

export function Glance({ overview, span }: { overview: Overview; span: number }): VNode {
  const { payments, conversion, currencies, paidWithin } = overview;
  const language = useContext(LANGUAGE);
  const before = (change: string | TranslatedPhrase | undefined) =>
    change === undefined
      ? t('no earlier data')
      : t('{change} vs. the previous {span} days', { change, span });
  const counted = { now: BigInt(payments.now), before: BigInt(payments.before) };
  return (
    <Card title={t('Last {span} days', { span })}>
      <dl class="glance">
        {currencies.slice(0, SHOWN_CURRENCIES).map(({ currency, decimals, volume }) => (
          <Figure name="Volume" note={before(changeOf(volume))}>
            <Money amount={volume.now} decimals={decimals} symbol={currency} />
          </Figure>
        ))}
        <Figure name="Payments" note={before(changeOf(counted))}>
          <Count of={payments.now} />
        </Figure>
        <Figure name="Conversion" note={before(pointsOf(conversion))}>
          {shownTenths(conversion.now)}
        </Figure>
        {paidWithin !== undefined && (
          <Figure
            name="Half paid within"
            note={t('90 % within {time}', { time: shownWithin(paidWithin.most, language) })}
          >
            {shownWithin(paidWithin.half, language)}
          </Figure>
        )}
      </dl>
      <p class="note">
        {t(
          'Volume counts final payments, by the UTC day they were recorded. Conversion is the share of ended payment requests that were paid in full. Today is incomplete.',
        )}
      </p>
    </Card>
  );
}

function Figure({
  name,
  note,
  children,
}: {
  name: Word;
  note: TranslatedPhrase;
  children: ComponentChildren;
}): VNode {
  return (
    <div>
      <dt>{t(name)}</dt>
      <dd>{children}</dd>
      <dd class="note">{note}</dd>
    </div>
  );
}

interface ShownDay {
  readonly day: string;
  readonly created: number;
  readonly paid: number;
  readonly volume: bigint;
}

export function Days({ overview, of }: { overview: Overview; of: CurrencyVolume | undefined }): VNode {
  const days = overview.days
    .map((day, place) => ({
      ...{ day, created: overview.created[place]!, paid: overview.paid[place]! },
      volume: of?.byDay.now[place] ?? 0n,
    }))
    .filter(({ created, volume }) => created > 0 || volume !== 0n)
    .toReversed();
  const received: Column<ShownDay>[] =
    of === undefined
      ? []
      : [
          {
            title: 'Received',
            numeric: true,
            cell: ({ volume }) => <Money amount={volume} decimals={of.decimals} symbol={of.currency} />,
          },
        ];
  return (
    <Card title="By day">
      <ListTable<ShownDay>
        caption="UTC days, newest first"
        items={days}
        empty={<EmptyState title="No activity in this period." />}
        columns={[
          { title: 'Day', cell: ({ day }) => day },
          { title: 'Created', numeric: true, cell: ({ created }) => <Count of={created} /> },
          { title: 'Paid', numeric: true, cell: ({ paid }) => <Count of={paid} /> },
          ...received,
        ]}
      />
    </Card>
  );
}
