import type { DashboardAction } from '#shared/kernel/dashboard-access.js';

/** The proof of their second factor that a person shows for an act. */
export type FactorDemand =
  /** Nothing: the session is enough. */
  | 'none'
  /** It was shown within the last ten minutes; else a page asks for it, and keeps what was typed. */
  | 'fresh'
  /** It is shown in the act's own form, each time. */
  | 'each_time';

export interface DashboardActRule {
  /** Continues "To …". */
  readonly does: string;
  /** `enter`: on the way in, without a session. */
  readonly action: DashboardAction | 'enter';
  readonly factor: FactorDemand;
  /** Why it takes this and no less or more. */
  readonly why: string;
}

/**
 * All that somebody can change in the dashboard. Whatever can lead to more power, whoever gets it, takes a second factor that
 * is fresh: a session that was left open or stolen is no more than a look at the pages. docs/concepts/security.md has this table.
 */
export const DASHBOARD_ACTS = {
  sign_in: act('sign in', 'enter', 'none', 'it takes the password; the second factor is the next step'),
  ask_for_reset: act('ask for a new password', 'enter', 'none', 'the link goes to the mailbox alone'),
  reset_password: act('choose a new password', 'enter', 'none', 'it takes the mailed link'),
  accept_invitation: act(
    'accept an invitation',
    'enter',
    'none',
    'it takes the link; enrolling is the next step',
  ),
  show_factor: act('show the second factor', 'own_account', 'none', 'it is the second factor'),
  sign_out: act('end sessions at once', 'own_account', 'none', 'it takes access away, also one’s own'),
  end_session: act('end another session', 'own_account', 'fresh', 'a thief would end the owner’s'),
  change_password: act('change the password', 'own_account', 'none', 'it takes the present password'),
  change_factors: act(
    'change how you sign in',
    'own_account',
    'fresh',
    'a thief’s factor would open all else',
  ),
  invite_person: act('invite a person', 'manage', 'fresh', 'the person gets a role'),
  withdraw_invitation: act('withdraw an invitation', 'manage', 'none', 'it takes power away'),
  change_person: act(
    'change a person',
    'manage',
    'fresh',
    'the person may get another role, or access again',
  ),
  change_accounts: act(
    'change accounts',
    'manage',
    'none',
    'an account is a name; only an empty one is deleted',
  ),
  change_branding: act(
    'change the branding',
    'manage',
    'none',
    'it leads nobody elsewhere; requests keep the name that they carry',
  ),
  set_time_zone: act('set the time zone', 'manage', 'none', 'it changes how times are shown, and no time'),
  create_key: act('create an API key', 'manage_keys', 'each_time', 'it shows a secret that acts alone'),
  change_key: act('change an API key', 'manage_keys', 'fresh', 'the key may get more roles'),
  change_key_addresses: act(
    'change a key’s addresses',
    'manage_keys',
    'fresh',
    'the key may work from elsewhere',
  ),
  enable_key: act('enable an API key', 'manage_keys', 'fresh', 'the key acts again'),
  end_key: act('disable or delete an API key', 'manage_keys', 'none', 'it takes power away'),
  create_point_of_sale: act(
    'create a point of sale',
    'manage',
    'none',
    'nobody pays there yet; where money goes is set by the operator',
  ),
  change_point_of_sale: act(
    'change a point of sale',
    'manage',
    'fresh',
    'its return URL and frame origins lead payers to other sites',
  ),
  pair_device: act(
    'pair a phone with a point of sale',
    'pair_devices',
    'fresh',
    'the phone acts alone, on that point of sale',
  ),
  revoke_device: act('revoke a paired phone', 'manage', 'none', 'it takes power away'),
  change_links: act(
    'create or switch a payment link',
    'manage',
    'none',
    'it collects for the organization alone',
  ),
  register_webhook: act(
    'create a webhook',
    'manage',
    'fresh',
    'it shows a secret and sends events elsewhere',
  ),
  change_webhook_url: act('change a webhook’s URL', 'manage', 'fresh', 'it sends events elsewhere'),
  rotate_webhook_secret: act('rotate a webhook’s secret', 'manage', 'fresh', 'it shows a secret'),
  switch_webhook: act('switch or delete a webhook', 'manage', 'none', 'URL and secret stay, or end'),
  send_deliveries: act('test, resend or replay', 'test_webhooks', 'none', 'it goes to the URL that is set'),
  set_mail_rule: act(
    'set a notification rule',
    'manage',
    'fresh',
    'it sends what happens to the addresses it names',
  ),
  ask_mail_addresses: act(
    'ask addresses to confirm mails',
    'manage',
    'none',
    'the addresses are set, and answer themselves',
  ),
  delete_mail_rule: act('delete a mail rule', 'manage', 'none', 'it ends mails'),
  create_refund: act('create a refund', 'manage', 'each_time', 'money leaves'),
  approve_refund: act('approve a refund', 'manage', 'each_time', 'money leaves'),
  cancel_refund: act('cancel a refund', 'manage', 'none', 'money stays'),
  offer_subscription: act('offer a subscription', 'manage', 'none', 'a payer has to accept it'),
  revoke_subscription: act('revoke a subscription', 'manage', 'none', 'it ends charges'),
  set_books_currency: act(
    'set the currency of the books',
    'manage',
    'none',
    'it values later money for accountants; nothing is paid by it',
  ),
  close_period: act(
    'close a month of the books',
    'manage_books',
    'fresh',
    'its statements stand from then on',
  ),
  reopen_period: act(
    'reopen a month of the books',
    'manage_books',
    'fresh',
    'statements that were handed on may change',
  ),
} satisfies Record<string, DashboardActRule>;

export type DashboardActName = keyof typeof DASHBOARD_ACTS;

/** Keeps the text of each act: the page that asks for the second factor translates those that take it fresh. */
function act<const Does extends string, const Factor extends FactorDemand>(
  does: Does,
  action: DashboardActRule['action'],
  factor: Factor,
  why: string,
) {
  return { does, action, factor, why };
}
