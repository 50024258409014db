import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import {
  CompletedActionListQuery,
  CompletedActionQuery,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  requireChosenId,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { EMPTY_FORM, type FormActionOutcome, type SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { AccountNames } from '#contexts/identity/contract/account-directory.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ChangeChatChannels } from '../../application/change-chat-channels.js';
import { SendConfirmationMails } from '../../application/send-confirmation-mails.js';
import { DeleteNotificationRule } from '../../application/delete-notification-rule.js';
import type { ChannelReference } from '../../domain/chat-channel.js';
import { NotificationLinks } from '../../application/notification-links.js';
import { SetNotificationRule } from '../../application/set-notification-rule.js';
import { ChatChannels } from '../persistence/chat-channels.js';
import { NotificationRuleQueries } from '../persistence/notification-rule-queries.js';
import { CHANNEL_FORM, toSubmittedRule, NEW_RULE_FORM, RULE_FORM } from './notification-rule-form.js';
import { DELETE_RULE_FORM, newNotificationRulePage, notificationRulePage } from './notification-rule-page.js';
import { notificationRulesPage } from './notification-rules-page.js';

const PAGE_SIZE = 50;
const RuleIdParam = () => Param('id', new UuidParam('notification rule'));
const ChannelIdParam = () => Param('channel', new UuidParam('channel'));
const RequiresSettingRules = () =>
  DashboardActionRoute('set a notification rule', 'manage', 'fresh', 'sends events to other addresses');

/** There is no API for notification rules, because programs use webhooks. */
@Controller('app/notices')
export class NotificationRulesController {
  constructor(
    private readonly queries: NotificationRuleQueries,
    private readonly channels: ChatChannels,
    private readonly changeChannels: ChangeChatChannels,
    private readonly setRule: SetNotificationRule,
    private readonly deleteRule: DeleteNotificationRule,
    private readonly askAddresses: SendConfirmationMails,
    private readonly accounts: AccountNames,
    private readonly catalogue: NetworkCatalogue,
    private readonly links: NotificationLinks,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @Query() { page, done }: CompletedActionListQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const paging = { page, pageSize: PAGE_SIZE };
    const rules = await this.queries.list(visitor.organizationId, paging);
    return showPage(notificationRulesPage({ visitor, done, ...paging, ...rules }));
  }

  @DashboardRoute('manage')
  @Get('new')
  async showForm(@CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.newPage(visitor));
  }

  @RequiresSettingRules()
  @Post('new')
  create(
    @FormBody(NEW_RULE_FORM) form: SubmittedForm<typeof NEW_RULE_FORM>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const again = (sent: SubmittedForm) => this.newPage(visitor, sent);
    return handleFormSubmission(form, again, async () => {
      const account = requireChosenId('account_id', form.typed.account_id, 'the accounts');
      const id = await this.setRule.create(account, ruleChangeBy(visitor, form));
      return seeOther(`/app/notices/${id}?done=created`);
    });
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @RuleIdParam() id: string,
    @Query() { done }: CompletedActionQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return showPage(await this.page(visitor, id, { done }));
  }

  @RequiresSettingRules()
  @Post(':id')
  change(
    @RuleIdParam() id: string,
    @FormBody(RULE_FORM) form: SubmittedForm,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return handleFormSubmission(
      form,
      (sent) => this.page(visitor, id, { sent }),
      async () => {
        await this.setRule.change(id, ruleChangeBy(visitor, form));
        return seeOther(`/app/notices/${id}?done=changed`);
      },
    );
  }

  @DashboardActionRoute(
    'send confirmation emails',
    'manage',
    'none',
    'the addresses are unchanged and must confirm',
  )
  @Post(':id/ask')
  resendConfirmationMails(@RuleIdParam() id: string, @CurrentDashboardUser() visitor: DashboardUser) {
    return handleFormSubmission(
      EMPTY_FORM,
      (sent) => this.page(visitor, id, { sent }),
      async () => {
        const { organizationId, organizationName } = visitor;
        await this.askAddresses.resend({ organizationId, id }, organizationName);
        return seeOther(`/app/notices/${id}?done=asked`);
      },
    );
  }

  @DashboardActionRoute('add a chat channel', 'manage', 'fresh', 'sends events to another address')
  @Post(':id/channel')
  addChannel(
    @RuleIdParam() id: string,
    @FormBody(CHANNEL_FORM) form: SubmittedForm<typeof CHANNEL_FORM>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return handleFormSubmission(
      form,
      (sent) => this.page(visitor, id, { sent }),
      async () => {
        const { kind = '', address = '' } = form.typed;
        const rule = { organizationId: visitor.organizationId, ruleId: id };
        await this.changeChannels.add(rule, auditActorOf(visitor), { kind, address });
        return seeOther(`/app/notices/${id}?done=channel_added`);
      },
    );
  }

  @DashboardActionRoute('send a test message to a chat channel', 'manage', 'none', 'the text is fixed')
  @Post(':id/channel/:channel/test')
  sendTestMessage(
    @RuleIdParam() id: string,
    @ChannelIdParam() channel: string,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return this.changeChannel(visitor, id, channel, 'tested', (reference) =>
      this.changeChannels.sendTest(reference),
    );
  }

  @DashboardActionRoute('remove a chat channel', 'manage', 'none', 'only stops messages')
  @Post(':id/channel/:channel/delete')
  removeChannel(
    @RuleIdParam() id: string,
    @ChannelIdParam() channel: string,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return this.changeChannel(visitor, id, channel, 'channel_removed', (reference) =>
      this.changeChannels.remove(reference, auditActorOf(visitor)),
    );
  }

  @DashboardActionRoute('delete a notification rule', 'manage', 'none', 'only stops emails')
  @Post(':id/delete')
  delete(
    @RuleIdParam() id: string,
    @FormBody(DELETE_RULE_FORM) form: SubmittedForm<typeof DELETE_RULE_FORM>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return handleFormSubmission(
      form,
      (sent) => this.page(visitor, id, { sent }),
      async () => {
        if (form.typed.confirm !== 'on')
          throw invalidField('confirm', 'confirmed', 'Tick the box to delete the rule.');
        await this.deleteRule.delete({
          organizationId: visitor.organizationId,
          id,
          ...auditActorOf(visitor),
        });
        return seeOther('/app/notices?done=deleted');
      },
    );
  }

  private changeChannel(
    visitor: DashboardUser,
    id: string,
    channelId: string,
    done: string,
    act: (channel: ChannelReference) => Promise<void>,
  ) {
    return handleFormSubmission(
      EMPTY_FORM,
      (sent) => this.page(visitor, id, { sent }),
      async () => {
        await act({ organizationId: visitor.organizationId, ruleId: id, channelId });
        return seeOther(`/app/notices/${id}?done=${done}`);
      },
    );
  }

  private async page(visitor: DashboardUser, id: string, outcome: FormActionOutcome) {
    const rule = await this.queries.find(visitor.organizationId, id);
    const reports = await this.queries.findReportsOfRule(visitor.organizationId, id);
    const channels = await this.channels.ofRule(visitor.organizationId, id);
    const { accountId, timeZone } = rule;
    return notificationRulePage({
      ...{ visitor, rule, channels, reports, ...outcome },
      assets: this.catalogue.assets(),
      reportUrl: ({ period, startsOn }) =>
        this.links.transactions('list', accountId, period, startsOn, timeZone),
    });
  }

  private async newPage(visitor: DashboardUser, sent?: SubmittedForm) {
    const typed = sent?.typed['account_id'];
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed });
    return newNotificationRulePage({ visitor, accounts, assets: this.catalogue.assets(), sent });
  }
}

function ruleChangeBy(visitor: DashboardUser, { typed }: SubmittedForm) {
  const { organizationId, organizationName } = visitor;
  return { organizationId, organizationName, asked: toSubmittedRule(typed), ...auditActorOf(visitor) };
}
