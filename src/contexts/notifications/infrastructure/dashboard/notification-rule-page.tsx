import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import type { Asset } from '#shared/kernel/asset.js';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  createMerchantAccountField,
  EMPTY_FORM,
  type FormActionOutcome,
  type FormFields,
  type SubmittedForm,
} from '#shared/web/dashboard/form-fields.js';
import { FormWithErrors, Form, FormCard, FormErrorNotice } from '#shared/web/dashboard/form-parts.js';
import { CompletedActionNotice, DetailList } from '#shared/web/dashboard/page-parts.js';
import { ListTable } from '#shared/web/dashboard/list-page.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { TimeText } from '#shared/web/parts/values.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import type { ChannelView } from '../persistence/chat-channels.js';
import type {
  NotificationReportView,
  NotificationRuleView,
} from '../persistence/notification-rule-queries.js';
import { RuleKinds } from './notification-rules-page.js';
import {
  CHANNEL_FORM,
  CHANNEL_LABELS,
  floatAssetOptions,
  NEW_RULE_FORM,
  RULE_FORM,
  formValuesOf,
} from './notification-rule-form.js';

const PAGE_PLACE = '/app/notices';
const DONE_NOTICES = {
  created: 'Rule created. New addresses outside your team have been asked by email to confirm.',
  changed: 'Rule updated. New addresses outside your team have been asked by email to confirm.',
  asked: 'Confirmation emails sent again.',
  channel_added: 'Chat channel added. Send a test message to check it.',
  channel_removed: 'Chat channel removed.',
  tested: 'The chat channel accepted the test message.',
} satisfies Record<string, Word>;

export const DELETE_RULE_FORM = {
  confirm: { kind: 'tick', label: 'Delete this rule, its recipients and its list of reports' },
} satisfies FormFields;

interface NewRuleProps {
  readonly visitor: PageUser;
  readonly accounts: Choices<NamedAccount>;
  readonly assets: readonly Asset[];
  readonly sent?: SubmittedForm | undefined;
}

export function newNotificationRulePage({ visitor, accounts, assets, sent }: NewRuleProps): VNode {
  const known = {
    account_id: createMerchantAccountField(accounts, sent?.typed['account_id']),
    float_asset: { options: floatAssetOptions(assets) },
  };
  const values = {
    recipients: visitor.email,
    time_zone: visitor.timeZone,
    every_minutes: '60',
    completed: 'on',
  };
  return (
    <DashboardPage visitor={visitor} title="Create notification rule" place={PAGE_PLACE}>
      <FormCard
        fields={NEW_RULE_FORM}
        sent={sent}
        known={known}
        values={values}
        button="Create notification rule"
        look="primary"
        cancel={PAGE_PLACE}
      />
    </DashboardPage>
  );
}

export interface NotificationRuleProps extends FormActionOutcome {
  readonly visitor: PageUser;
  readonly rule: NotificationRuleView;
  readonly channels: readonly ChannelView[];
  readonly reports: readonly NotificationReportView[];
  readonly reportUrl: (report: NotificationReportView) => string;
  readonly assets: readonly Asset[];
}

export function notificationRulePage(props: NotificationRuleProps): VNode {
  const { visitor, rule, reports, reportUrl, done, sent } = props;
  const { accountName, kinds, timeZone, lastMailedAt, createdAt, recipients } = rule;
  return (
    <DashboardPage visitor={visitor} title="Notification rule" place={PAGE_PLACE} zone={timeZone}>
      <CompletedActionNotice done={done} notices={DONE_NOTICES} />
      <FormErrorNotice refusal={sent?.fields === EMPTY_FORM.fields ? sent.refusal : undefined} />
      <section class="card">
        <DetailList
          facts={{
            'Events and reports': <RuleKinds of={kinds} />,
            Account: <bdi>{accountName}</bdi>,
            'Time zone': timeZone,
            'Last notification': <TimeText at={lastMailedAt} />,
            Created: <TimeText at={createdAt} />,
          }}
        />
      </section>
      <section aria-labelledby="to">
        <h2 id="to">{t('Recipients')}</h2>
        <ListTable
          caption="Recipients of the rule"
          items={recipients}
          empty="No recipients."
          columns={[
            { title: 'Address', cell: ({ email }) => <bdi>{email}</bdi> },
            { title: 'Status', cell: ({ state }) => <StatusBadge status={state} /> },
          ]}
        />
      </section>
      <ChannelSection {...props} />
      {reports.length > 0 && (
        <section aria-labelledby="reports">
          <h2 id="reports">{t('Reports')}</h2>
          <ListTable
            caption="Reports, newest first"
            items={reports}
            columns={[
              {
                title: 'Period',
                cell: (report) => (
                  <a href={reportUrl(report)}>
                    {t(report.period === 'week' ? 'Week of {day}' : 'Month of {day}', {
                      day: report.startsOn,
                    })}
                  </a>
                ),
              },
              { title: 'Recipients', numeric: true, cell: (report) => String(report.recipients) },
              { title: 'Created', cell: ({ madeAt }) => <TimeText at={madeAt} /> },
            ]}
          />
        </section>
      )}
      {hasPermission(visitor.role, 'manage') && <RuleActions {...props} />}
    </DashboardPage>
  );
}

function ChannelSection({ visitor, rule, channels }: NotificationRuleProps): VNode {
  const path = `${PAGE_PLACE}/${rule.id}/channel`;
  const isManager = hasPermission(visitor.role, 'manage');
  return (
    <section aria-labelledby="channels">
      <h2 id="channels">{t('Chat channels')}</h2>
      <ListTable
        caption="Chat channels of the rule"
        items={channels}
        empty="No chat channels."
        columns={[
          { title: 'Chat', cell: ({ kind }) => t(CHANNEL_LABELS[kind]) },
          { title: 'Address', cell: ({ label }) => <bdi>{label}</bdi> },
          {
            title: 'Status',
            cell: ({ failingSince, lastError }) => (
              <>
                <StatusBadge status={failingSince === null ? 'active' : 'failing'} />
                {lastError !== null && <p class="note">{lastError}</p>}
              </>
            ),
          },
          ...(isManager
            ? [
                {
                  title: 'Actions' as const,
                  cell: ({ id }: ChannelView) => (
                    <div class="actions">
                      <Form action={`${path}/${id}/test`}>
                        <button class="button">{t('Send test')}</button>
                      </Form>
                      <Form action={`${path}/${id}/delete`}>
                        <button class="button">{t('Remove')}</button>
                      </Form>
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

function RuleActions({ rule, assets, sent }: NotificationRuleProps): VNode {
  const path = `${PAGE_PLACE}/${rule.id}`;
  return (
    <>
      {rule.recipients.some(({ state }) => state === 'to_confirm') && (
        <Form action={`${path}/ask`}>
          <button class="button">{t('Resend confirmation emails')}</button>
        </Form>
      )}
      <section class="card" aria-labelledby="add-channel">
        <h2 id="add-channel">{t('Add chat channel')}</h2>
        <FormWithErrors fields={CHANNEL_FORM} sent={sent} action={`${path}/channel`}>
          <button class="button">{t('Add chat channel')}</button>
        </FormWithErrors>
      </section>
      <section class="card" aria-labelledby="change">
        <h2 id="change">{t('Edit rule')}</h2>
        <FormWithErrors
          fields={RULE_FORM}
          sent={sent}
          known={{ float_asset: { options: floatAssetOptions(assets) } }}
          values={formValuesOf(rule, assets)}
          action={path}
        >
          <button class="button primary">{t('Save')}</button>
        </FormWithErrors>
      </section>
      <section class="card" aria-labelledby="delete">
        <h2 id="delete">{t('Delete rule')}</h2>
        <FormWithErrors fields={DELETE_RULE_FORM} sent={sent} action={`${path}/delete`}>
          <button class="button">{t('Delete')}</button>
        </FormWithErrors>
      </section>
    </>
  );
}
