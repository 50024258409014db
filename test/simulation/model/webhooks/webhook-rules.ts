import { unknownFields, pageOf, pageVerdict } from '../accounts/lists.js';
import { pathAccountVerdict } from '../accounts/path-account.js';
import { open, refused, together, VALID, type Heard, type Rule, type Verdict } from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import { objectOf, textOf } from '../known/values.js';
import { logRules } from './logs.js';
import { isSecret, secretRules } from './secrets.js';
import { EVENT_TYPES, takeWebhook } from './shown.js';
import { urlVerdict } from './urls.js';
import { changeState, type WebhookState } from './webhook.js';

function webhookVerdict(heard: Heard, known: Known): Verdict {
  const account = pathAccountVerdict(heard, known);
  const webhook = known.webhooks.byId.get(heard.params.webhook ?? '');
  if (webhook === undefined) return together(account, open('not_found', 'validation_failed'));
  if (webhook.accountId !== heard.params.account) {
    return together(account, refused('the webhook is another account’s', 'not_found', 'account_not_allowed'));
  }
  if (webhook.isGone) return together(account, refused('the webhook is deleted', 'not_found'));
  return webhook.mayBeGone ? together(account, open('not_found')) : account;
}

const create: Rule = {
  verdict: (heard, known) => {
    const { body } = heard;
    const isType = EVENT_TYPES.includes(textOf(body.event_type));
    const isText = body.description === undefined || typeof body.description === 'string';
    return together(
      pathAccountVerdict(heard, known),
      unknownFields(body, ['url', 'event_type', 'description']),
      urlVerdict(body.url, known),
      isType ? VALID : refused('event_type is none of three', 'validation_failed'),
      isText ? VALID : refused('description is no text', 'validation_failed'),
      textOf(body.description).length > 100 ? open('validation_failed') : VALID,
    );
  },
  done: (heard, data, known, answer) => {
    const webhook = takeWebhook(data, heard, known, true);
    if (webhook === undefined) return;
    const about = `webhook ${webhook.id}`;
    if (answer.headers['idempotency-replayed'] !== 'true') {
      const { secret } = objectOf(data);
      const is = known.findings.expect(
        isSecret(secret),
        'the secret of a webhook',
        about,
        'whsec_ and 44 letters',
        secret,
      );
      // A list may have shown the webhook before its creation was answered.
      if (is && webhook.secrets.latest()!.signs === null)
        webhook.secrets.change({ signs: textOf(secret) }, heard.exchange.sentAt, heard.exchange.at);
    }
    for (const name of ['url', 'event_type', 'description']) {
      const is = webhook.fields[name] === heard.body[name];
      known.findings.expect(
        is,
        'a webhook is created as asked',
        about,
        heard.body[name],
        webhook.fields[name],
      );
    }
    known.findings.expect(
      webhook.fields.active === true,
      'a new webhook is active',
      about,
      true,
      webhook.fields.active,
    );
  },
  unanswered: (heard, known) => known.unanswered.add('webhook', heard.params.account!, heard),
};

const list: Rule = {
  verdict: (heard, known) => together(pathAccountVerdict(heard, known), pageVerdict(heard, 1, false)),
  done: (heard, data, known) => {
    const page = pageOf(data, heard, known);
    if (page === undefined) return;
    for (const item of page.items) takeWebhook(item, heard, known, false);
    const { sentAt } = heard.exchange;
    const mine = [...known.webhooks.byId.values()].filter(
      (webhook) =>
        webhook.accountId === heard.params.account && !webhook.isGone && webhook.steadySince < sentAt,
    );
    known.findings.expect(
      page.total >= mine.length,
      'an account lists its webhooks',
      `account ${heard.params.account}`,
      mine.length,
      page.total,
    );
  },
};

function changing(
  changeOf: (heard: Heard) => Partial<WebhookState>,
  own: (heard: Heard, known: Known) => Verdict,
): Rule {
  const change = (heard: Heard, known: Known, isCertain: boolean): void => {
    const webhook = known.webhooks.byId.get(heard.params.webhook!);
    if (webhook === undefined) return;
    const { sentAt, at } = heard.exchange;
    const state = changeOf(heard);
    changeState(webhook, state, sentAt, at, isCertain);
    if (state.url !== undefined) known.webhooks.name(webhook, state.url);
  };
  return {
    verdict: (heard, known) => together(webhookVerdict(heard, known), own(heard, known)),
    done: (heard, data, known) => {
      change(heard, known, true);
      takeWebhook(data, heard, known, false);
    },
    unanswered: (heard, known) => change(heard, known, false),
  };
}

const remove: Rule = {
  verdict: webhookVerdict,
  done: (heard, data, known) => {
    const id = heard.params.webhook!;
    known.findings.expect(objectOf(data).id === id, 'a deletion answers the id', `webhook ${id}`, id, data);
    const webhook = known.webhooks.byId.get(id);
    if (webhook === undefined) return;
    changeState(webhook, { isActive: false }, heard.exchange.sentAt, heard.exchange.at, true);
    webhook.isGone = true;
  },
  unanswered: (heard, known) => {
    const webhook = known.webhooks.byId.get(heard.params.webhook!);
    if (webhook === undefined) return;
    webhook.mayBeGone = true;
    changeState(webhook, { isActive: false }, heard.exchange.sentAt, heard.exchange.at, false);
  },
  refused: (heard, code, known) => {
    const webhook = known.webhooks.byId.get(heard.params.webhook!);
    if (
      code === 'not_found' &&
      webhook?.steadySince === Infinity &&
      webhook.accountId === heard.params.account
    )
      webhook.isGone = true;
  },
};

export const webhookRules: readonly (readonly [string, Rule])[] = [
  ['create webhook', create],
  ['list webhooks', list],
  [
    'activate webhook',
    changing(
      () => ({ isActive: true }),
      () => VALID,
    ),
  ],
  [
    'deactivate webhook',
    changing(
      () => ({ isActive: false }),
      () => VALID,
    ),
  ],
  [
    'change webhook URL',
    changing(
      ({ body }) => ({ url: textOf(body.url) }),
      ({ body }, known) => together(unknownFields(body, ['url']), urlVerdict(body.url, known)),
    ),
  ],
  ['delete webhook', remove],
  ...secretRules(webhookVerdict),
  ...logRules(webhookVerdict),
];
