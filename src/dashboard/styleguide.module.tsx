import { Controller, Get, Module } from '@nestjs/common';
import type { ComponentChildren, VNode } from 'preact';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { DetailList } from '#shared/web/dashboard/page-parts.js';
import { EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import {
  StatusBadge,
  type DashboardStatus,
  DASHBOARD_STATUSES,
  type StatusTone,
} from '#shared/web/parts/status-badge.js';
import { AmountText, RecordName, ShortId, TimeText } from '#shared/web/parts/values.js';

@Controller('app/styleguide')
class StyleguideController {
  @DashboardRoute('read')
  @Get()
  show(@CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(styleguidePage(visitor));
  }
}

/** Serves the style guide page. Imported only in the environment `development`. */
@Module({ controllers: [StyleguideController] })
export class StyleguideModule {}

const SAMPLE_HASH = `0x${'5f3a91c0'.repeat(8)}`;
const SAMPLE_ID = '0193b2f4-6a1e-7c52-9d0b-3f8e2a417c66';
const HOUR_MS = 3_600_000;

/** The design system, displayed with its own components, in English, for developers. */
function styleguidePage(visitor: PageUser): VNode {
  const ago = (hours: number) => new Date(visitor.at.getTime() - hours * HOUR_MS);
  const shown: Record<string, VNode> = {
    'A name, its id on demand': <RecordName name="Corner shop" id={SAMPLE_ID} />,
    'A name that leads to its page': (
      <RecordName name="Corner shop" id={SAMPLE_ID} href="/app/points-of-sale" />
    ),
    'Without a name': <RecordName name={null} id={SAMPLE_ID} />,
    'A hash, with its explorer': <ShortId value={SAMPLE_HASH} explorer="https://scan.example" />,
    'An amount of an asset': <AmountText amount={1_234_500_000n} decimals={6} symbol="USDC" />,
    'An amount of a currency': <AmountText amount="1234.5" symbol="EUR" />,
    'A moment ago': <TimeText at={ago(0)} />,
    'Some hours ago': <TimeText at={ago(5)} />,
    'Some weeks ago': <TimeText at={ago(900)} />,
    'A time that is quoted': <TimeText at={ago(5)} exact />,
    'A time that has not come': <TimeText at={null} />,
  };
  return (
    <DashboardPage visitor={visitor} title={{ name: 'Style guide' }}>
      <Section
        title="Type"
        rule="Four sizes of text and one of headings; no line is longer than 75 characters."
      >
        <DetailList
          facts={sampleFacts(TYPE_SIZES, ({ name, use }) => [<TypeSample size={name} />, ` ${use}`])}
        />
      </Section>
      <Section title="Space" rule="All distances use this scale.">
        <DetailList
          facts={sampleFacts(SPACE_SIZES, ({ name, use }) => [<SpaceSample name={name} />, ` ${use}`])}
        />
      </Section>
      <Section title="Colour" rule="A colour has a meaning, and each meaning has a light and a dark colour.">
        <DetailList
          facts={sampleFacts(COLOUR_PROPERTIES, ({ name, use }) => [<ColourSwatch name={name} />, ` ${use}`])}
        />
      </Section>
      <Section title="Statuses" rule="Each status has one badge, labelled with the API’s word.">
        <DetailList
          facts={Object.fromEntries(
            BADGE_MEANINGS.map(({ tone, use }) => [use, <BadgeSamples tone={tone} />]),
          )}
        />
      </Section>
      <Section
        title="Names, amounts, times"
        rule="Names for people come first; ids for machines are one click away."
      >
        <DetailList facts={shown} />
      </Section>
      <Section
        title="Tables"
        rule="Below 600 pixels each row is a card, headed by its first cell; one column may be wide."
      >
        <ListTable
          caption={{ name: 'Sample payments' }}
          items={SAMPLE_ROWS}
          columns={[
            {
              title: 'Amount',
              numeric: true,
              cell: ({ amount }) => <AmountText amount={amount} symbol="USDC" />,
            },
            { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
            {
              title: 'Reference',
              wide: true,
              cell: ({ reference }) => <RecordName name={reference} id={SAMPLE_ID} href="/app/payments" />,
            },
            { title: 'Created', cell: ({ hours }) => <TimeText at={ago(hours)} /> },
          ]}
        />
      </Section>
      <Section title="Empty states" rule="The text says that the list is empty, and names the next action.">
        <div class="card empty">
          <EmptyState
            title={{ name: 'No payment links yet.' }}
            note={{ name: 'Send a link by mail or print its code. Payers need no shop to pay.' }}
            action={{ href: '/app/links/new', label: { name: 'Create link' } }}
          />
        </div>
      </Section>
      <Section
        title="Notices and buttons"
        rule="Each page has one primary button; red is only for actions that cannot be undone."
      >
        <p class="done">The refund is approved.</p>
        <p class="warning">The link is displayed only once.</p>
        <p class="alert">The amount exceeds the remainder.</p>
        <div class="actions">
          <button class="button primary">Approve</button>
          <button class="button">Cancel</button>
          <button class="button danger">Delete the key</button>
        </div>
      </Section>
    </DashboardPage>
  );
}

const SAMPLE_ROWS: readonly {
  amount: string;
  status: DashboardStatus;
  reference: string | null;
  hours: number;
}[] = [
  { amount: '12.5', status: 'completed', reference: 'order-1042', hours: 0.2 },
  { amount: '1250', status: 'underpaid', reference: null, hours: 7 },
  { amount: '3.000001', status: 'expired', reference: 'order-1040', hours: 400 },
];

function sampleFacts(scale: readonly CssProperty[], shown: (one: CssProperty) => ComponentChildren[]) {
  return Object.fromEntries(scale.map((one) => [one.name, shown(one)]));
}

function Section(props: { title: string; rule: string; children: ComponentChildren }): VNode {
  return (
    <section class="card">
      <h2>{props.title}</h2>
      <p class="note">{props.rule}</p>
      {props.children}
    </section>
  );
}

/** Uses SVG attributes for custom properties, because the content security policy forbids inline styles. */
function TypeSample({ size }: { size: string }): VNode {
  return (
    <svg width="130" height="20" aria-hidden="true">
      <text y="18" font-size={`var(${size})`} fill="currentColor">
        12.50 USDC
      </text>
    </svg>
  );
}

function SpaceSample({ name }: { name: string }): VNode {
  return (
    <svg width="32" height="12" aria-hidden="true">
      <rect width={`var(${name})`} height="12" fill="var(--accent)" />
    </svg>
  );
}

function ColourSwatch({ name }: { name: string }): VNode {
  return (
    <svg width="64" height="20" aria-hidden="true">
      <rect x="1" y="1" width="62" height="18" rx="4" fill={`var(${name})`} stroke="var(--line)" />
    </svg>
  );
}

function BadgeSamples({ tone }: { tone: StatusTone }): VNode {
  const statuses = (Object.keys(DASHBOARD_STATUSES) as DashboardStatus[]).filter(
    (status) => DASHBOARD_STATUSES[status][0] === tone,
  );
  return (
    <>
      {statuses.map((status) => (
        <>
          <StatusBadge status={status} />{' '}
        </>
      ))}
    </>
  );
}

export interface CssProperty {
  /** Name of a CSS custom property that `src/shared/web` defines. */
  readonly name: string;
  readonly use: string;
}

export const TYPE_SIZES: readonly CssProperty[] = [
  { name: '--text-s', use: 'heads of columns, badges, labels of filters' },
  { name: '--text-m', use: 'notes, names of facts' },
  { name: '--text', use: 'everything else' },
  { name: '--text-l', use: 'headings of cards, the first cell of a card on a phone' },
  { name: '--text-xl', use: 'the heading of a page' },
];

const SPACE_SIZES: readonly CssProperty[] = [
  { name: '--gap-1', use: 'between a label and its input' },
  { name: '--gap-2', use: 'between buttons, and around text in badges' },
  { name: '--gap-3', use: 'inside cells, between facts' },
  { name: '--gap-4', use: 'inside cards and between them' },
  { name: '--gap-6', use: 'above a page' },
  { name: '--gap-8', use: 'beside a page' },
];

export const COLOUR_PROPERTIES: readonly CssProperty[] = [
  { name: '--ground', use: 'behind everything' },
  { name: '--card', use: 'behind a group of content' },
  { name: '--ink', use: 'text' },
  { name: '--soft', use: 'secondary text, and symbols of amounts' },
  { name: '--line', use: 'between rows and around cards' },
  { name: '--edge', use: 'around inputs and buttons' },
  { name: '--accent', use: 'links and the main button' },
  { name: '--busy', use: 'in progress, continues automatically' },
  { name: '--good', use: 'done' },
  { name: '--care', use: 'needs attention' },
  { name: '--bad', use: 'failed, or cannot be undone' },
];

const BADGE_MEANINGS: readonly { readonly tone: StatusTone; readonly use: string }[] = [
  { tone: 'busy', use: 'Continues automatically' },
  { tone: 'good', use: 'Done' },
  { tone: 'care', use: 'Needs attention' },
  { tone: 'bad', use: 'Failed' },
  { tone: 'plain', use: 'Nothing happens' },
];
