import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type Column, EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import { Card, LinkButton, StateMark } from '#shared/web/dashboard/page-parts.js';
import { LANGUAGE, type TranslatedPhrase, t, type Word } from '#shared/web/dashboard/words/text.js';
import { Count, Money } from '#shared/web/parts/values.js';
import {
  formatChange,
  formatPointsChange,
  describeAttention,
  formatPercentTenths,
  formatPaidWithin,
} from './overview-texts.js';
import type { CurrencyVolume, Overview } from './overview.js';
import type { AttentionItem, OpenStep } from './overview-queries.js';

interface AttentionProps {
  readonly attention: readonly AttentionItem[];
  readonly networkName: (network: string) => string;
  /** True if the signed-in person may create and change the merchant's objects. */
  readonly mayManage: boolean;
}

/** Lists problems and open tasks, each with a link to the page where the merchant can act. */
export function AttentionCard({ attention, networkName, mayManage }: AttentionProps): VNode {
  const items = describeAttention(attention, networkName, mayManage);
  return (
    <Card title="Needs attention">
      {items.length === 0 ? (
        <p class="note">{t('Nothing needs your attention.')}</p>
      ) : (
        <ul class="attention">
          {items.map(({ tone, word, text, href, action }) => (
            <li>
              <StateMark tone={tone}>{t(word)}</StateMark>
              <span>{text}</span>
              <LinkButton href={href} label={action} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const SETUP_STEPS: readonly { readonly step: OpenStep; readonly label: Word; readonly href: string }[] = [
  {
    step: 'no_point_of_sale',
    label: 'Create point of sale',
    href: '/app/points-of-sale/new',
  },
  { step: 'no_transaction', label: 'Take a first payment with a payment link', href: '/app/links/new' },
  { step: 'no_webhook', label: 'Receive payments in your shop by webhook', href: '/app/webhooks/new' },
];

/** Lists the steps of the first set-up with their state, until all are done. Only managers can do them. */
export function SetupCard({ attention, mayManage }: Omit<AttentionProps, 'networkName'>): VNode | null {
  const isOpen = (step: OpenStep) => attention.some(({ kind }) => kind === step);
  if (!mayManage || !SETUP_STEPS.some(({ step }) => isOpen(step))) return null;
  return (
    <Card title="Get started">
      <ul class="attention">
        {SETUP_STEPS.map(({ step, label, href }) => (
          <li>
            <StateMark tone={isOpen(step) ? 'busy' : 'good'}>
              {t(isOpen(step) ? 'To do' : 'Completed')}
            </StateMark>
            <span>{t(label)}</span>
            {isOpen(step) && <LinkButton href={href} label="Continue" />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Maximum number of currencies in the summary. The others appear only in the money table. */
const MAX_SHOWN_CURRENCIES = 2;

export function SummaryCards({ overview, span }: { overview: Overview; span: number }): VNode {
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
        {currencies.slice(0, MAX_SHOWN_CURRENCIES).map(({ currency, decimals, volume }) => (
          <SummaryFigure name="Volume" note={before(formatChange(volume))}>
            <Money amount={volume.now} decimals={decimals} symbol={currency} isShort />
          </SummaryFigure>
        ))}
        <SummaryFigure name="Payments" note={before(formatChange(counted))}>
          <Count of={payments.now} />
        </SummaryFigure>
        <SummaryFigure name="Conversion" note={before(formatPointsChange(conversion))}>
          {formatPercentTenths(conversion.now)}
        </SummaryFigure>
        {paidWithin !== undefined && (
          <SummaryFigure
            name="Half paid within"
            note={t('90 % within {time}', { time: formatPaidWithin(paidWithin.most, language) })}
          >
            {formatPaidWithin(paidWithin.half, language)}
          </SummaryFigure>
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

function SummaryFigure({
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

interface ChartDay {
  readonly day: string;
  readonly created: number;
  readonly paid: number;
  readonly volume: bigint;
}

export function DaysChart({ overview, of }: { overview: Overview; of: CurrencyVolume | undefined }): VNode {
  const days = overview.days
    .map((day, place) => ({
      ...{ day, created: overview.created[place]!, paid: overview.paid[place]! },
      volume: of?.byDay.now[place] ?? 0n,
    }))
    .filter(({ created, volume }) => created > 0 || volume !== 0n)
    .toReversed();
  const received: Column<ChartDay>[] =
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
      <ListTable<ChartDay>
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
