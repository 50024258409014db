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
  sign_in: act('sign in', 'enter', 'none', 'requires the password; the second factor follows'),
  ask_for_reset: act('request a new password', 'enter', 'none', 'the link is sent by email only'),
  reset_password: act('choose a new password', 'enter', 'none', 'requires the emailed link'),
  accept_invitation: act('accept an invitation', 'enter', 'none', 'requires the link; enrolling follows'),
  show_factor: act('verify the second factor', 'own_account', 'none', 'it is the second factor'),
  sign_out: act('sign out', 'own_account', 'none', 'removes access only'),
  end_session: act('end another session', 'own_account', 'fresh', 'a thief could end the owner’s sessions'),
  change_password: act('change the password', 'own_account', 'none', 'requires the current password'),
  change_factors: act(
    'change how you sign in',
    'own_account',
    'fresh',
    'a thief’s factor would allow everything else',
  ),
  invite_person: act('invite a person', 'manage', 'fresh', 'the person gets a role'),
  withdraw_invitation: act('withdraw an invitation', 'manage', 'none', 'removes access only'),
  change_person: act('change a person', 'manage', 'fresh', 'can add a role or restore access'),
  change_accounts: act('change accounts', 'manage', 'none', 'only an empty account is deleted'),
  change_branding: act(
    'change the branding',
    'manage',
    'none',
    'redirects no payer; existing requests keep their name',
  ),
  set_time_zone: act('set the time zone', 'manage', 'none', 'only changes how times are displayed'),
  create_key: act('create an API key', 'manage_keys', 'each_time', 'displays a secret'),
  change_key: act('change an API key', 'manage_keys', 'fresh', 'can add roles'),
  change_key_addresses: act('change a key’s addresses', 'manage_keys', 'fresh', 'can allow other addresses'),
  enable_key: act('enable an API key', 'manage_keys', 'fresh', 'restores access'),
  end_key: act('disable or delete an API key', 'manage_keys', 'none', 'removes access only'),
  create_point_of_sale: act(
    'create a point of sale',
    'manage',
    'none',
    'the operator sets the settlement address',
  ),
  change_point_of_sale: act(
    'change a point of sale',
    'manage',
    'fresh',
    'return URL and frame origins can send payers to other sites',
  ),
  pair_device: act(
    'pair a phone with a point of sale',
    'pair_devices',
    'fresh',
    'the phone gets access to that point of sale',
  ),
  revoke_device: act('revoke a paired phone', 'manage', 'none', 'removes access only'),
  change_links: act(
    'create, activate or deactivate a payment link',
    'manage',
    'none',
    'collects only for the organization',
  ),
  register_webhook: act('create a webhook', 'manage', 'fresh', 'displays a secret and sends events to a URL'),
  change_webhook_url: act('change a webhook’s URL', 'manage', 'fresh', 'sends events to another URL'),
  rotate_webhook_secret: act('rotate a webhook’s secret', 'manage', 'fresh', 'displays a secret'),
  switch_webhook: act(
    'activate, deactivate or delete a webhook',
    'manage',
    'none',
    'URL and secret stay or are deleted',
  ),
  send_deliveries: act('test, resend or replay', 'test_webhooks', 'none', 'uses the configured URL'),
  set_mail_rule: act('set a notification rule', 'manage', 'fresh', 'sends events to other addresses'),
  ask_mail_addresses: act(
    'send confirmation emails',
    'manage',
    'none',
    'the addresses are unchanged and must confirm',
  ),
  delete_mail_rule: act('delete a notification rule', 'manage', 'none', 'only stops emails'),
  create_refund: act('create a refund', 'manage', 'each_time', 'pays out'),
  approve_refund: act('approve a refund', 'manage', 'each_time', 'pays out'),
  cancel_refund: act('cancel a refund', 'manage', 'none', 'pays nothing out'),
  offer_subscription: act('offer a subscription', 'manage', 'none', 'the payer must accept it'),
  revoke_subscription: act('revoke a subscription', 'manage', 'none', 'only ends charges'),
  set_books_currency: act('set the currency of the books', 'manage', 'none', 'only changes later valuations'),
  close_period: act('close a month of the books', 'manage_books', 'fresh', 'makes its statements final'),
  reopen_period: act(
    'reopen a month of the books',
    'manage_books',
    'fresh',
    'can change statements already in use',
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
