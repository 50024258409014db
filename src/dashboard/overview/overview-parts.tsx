import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Card, LinkButton, StateBadge } from '#shared/web/dashboard/page-parts.js';
import { LANGUAGE_CONTEXT, type TranslatedPhrase, t, type Word } from '#shared/web/dashboard/words/text.js';
import { CountText, AmountText, TimeText } from '#shared/web/parts/values.js';
import {
  formatChange,
  formatPointsChange,
  describeAttention,
  formatPercentTenths,
  formatPaidWithin,
} from './overview-texts.js';
import type { Overview } from './overview.js';
import type { AttentionItem, OpenSetupStep } from './overview-queries.js';
import type { OverviewTotal } from './overview-total.js';

interface AttentionProps {
  readonly attention: readonly AttentionItem[];
  readonly networkName: (network: string) => string;
}

/** Lists problems and open tasks, each with a link to the page where the merchant can act. */
export function AttentionCard({ attention, networkName }: AttentionProps): VNode | null {
  const items = describeAttention(attention, networkName);
  if (items.length === 0) return null;
  return (
    <Card title="Needs attention">
      <ul class="attention">
        {items.map(({ tone, word, text, href, action }) => (
          <li>
            <StateBadge tone={tone}>{t(word)}</StateBadge>
            <span>{text}</span>
            <LinkButton href={href} label={action} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const SETUP_STEPS: readonly { readonly step: OpenSetupStep; readonly label: Word; readonly href: string }[] =
  [
    { step: 'no_support_contact', label: 'Set a support contact for payers', href: '/app/branding' },
    {
      step: 'no_point_of_sale',
      label: 'Create point of sale',
      href: '/app/points-of-sale/new',
    },
    { step: 'no_transaction', label: 'Take a first payment with a payment link', href: '/app/links/new' },
    { step: 'no_webhook', label: 'Receive payments in your shop by webhook', href: '/app/webhooks/new' },
  ];

interface SetupProps extends Pick<AttentionProps, 'attention'> {
  /** True if the signed-in person may create and change the merchant's objects. */
  readonly mayManage: boolean;
}

/** Lists the open steps of the first set-up, until all are done. Only managers can do them. */
export function SetupCard({ attention, mayManage }: SetupProps): VNode | null {
  const open = SETUP_STEPS.filter(({ step }) => attention.some(({ kind }) => kind === step));
  if (!mayManage || open.length === 0) return null;
  return (
    <Card title="Get started">
      <ul class="attention">
        {open.map(({ label, href }) => (
          <li>
            <span>{t(label)}</span>
            <LinkButton href={href} label="Continue" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface SummaryProps {
  readonly overview: Overview;
  readonly total: OverviewTotal;
  readonly span: number;
  /** True if the signed-in person may set the accounting currency. */
  readonly mayManage: boolean;
}

export function SummaryCard({ overview, total, span, mayManage }: SummaryProps): VNode {
  const { payments, conversion, currencies, paidWithin } = overview;
  const language = useContext(LANGUAGE_CONTEXT);
  const before = (change: string | TranslatedPhrase | undefined) =>
    change === undefined
      ? t('no earlier data')
      : t('{change} vs. the previous {span} days', { change, span });
  const counted = { now: BigInt(payments.now), before: BigInt(payments.before) };
  const money = (amount: bigint) => (
    <AmountText amount={amount} decimals={total.decimals} symbol={total.currency} />
  );
  return (
    <Card title={t('Last {span} days', { span })}>
      <dl class="glance">
        <SummaryFigure name="Volume" note={before(formatChange(total.volume))}>
          {money(total.volume.now)}
        </SummaryFigure>
        <SummaryFigure name="Unsettled" note={t('current balance')}>
          {money(total.unsettled)}
        </SummaryFigure>
        <SummaryFigure name="Payments" note={before(formatChange(counted))}>
          <CountText of={payments.now} />
        </SummaryFigure>
        <SummaryFigure name="Conversion" note={before(formatPointsChange(conversion))}>
          {formatPercentTenths(conversion.now)}
        </SummaryFigure>
        {paidWithin !== undefined && (
          <SummaryFigure
            name="Median time to pay"
            note={t('90 % within {time}', { time: formatPaidWithin(paidWithin.most, language) })}
          >
            {formatPaidWithin(paidWithin.half, language)}
          </SummaryFigure>
        )}
      </dl>
      <ul class="counts">
        {currencies.map(({ currency, decimals, volume }) => (
          <li>
            <AmountText amount={volume.now} decimals={decimals} symbol={currency} isShort />{' '}
            <AssetRate symbol={currency} total={total} />
          </li>
        ))}
      </ul>
      {total.missing.length > 0 && (
        <p>
          {t('The totals omit {assets}: no rate in {currency} is known.', {
            ...{ assets: total.missing.join(', '), currency: total.currency },
          })}{' '}
          {mayManage && <a href="/app/statements/currency">{t('Accounting currency')}</a>}
        </p>
      )}
      <p class="note">
        {t(
          'Volume counts all final funds, also funds outside a payment, by the UTC day they were recorded. Conversion is the share of ended payment requests that were paid in full. Today is incomplete.',
        )}
      </p>
    </Card>
  );
}

function AssetRate({ symbol, total }: { symbol: string; total: OverviewTotal }): VNode {
  const rate = total.rates.get(symbol);
  if (rate === undefined) return <StateBadge tone="care">{t('No rate')}</StateBadge>;
  const { price, sources, at } = rate;
  return (
    <span class="note">
      (1 <bdi>{symbol}</bdi> = <AmountText amount={price} symbol={total.currency} isShort />,{' '}
      {sources.join() === 'peg' ? (
        t('pegged')
      ) : (
        <>
          {sources.join(', ')}, <TimeText at={at} exact />
        </>
      )}
      )
    </span>
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
