import { shownRole, type CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import { oneLine } from '#shared/kernel/text.js';
import type { Mail } from '../../contract/outgoing-mails.js';

/** @param link works once */
export function invitationMail(
  {
    email,
    role,
    organizationName,
    invitedBy,
  }: { email: string; role: CollaboratorRole; organizationName: string; invitedBy: string },
  link: string,
): Mail {
  return {
    recipient: email,
    subject: `Invitation to ${oneLine(organizationName)}`,
    body: `${oneLine(invitedBy)} invites you to ${oneLine(organizationName)} as ${shownRole(role)}.

Choose a password and a second factor here. The link works once, within 7 days:
${link}

If you do not expect this, leave it.`,
  };
}

/** Replaces the invitation for an address that signs in elsewhere; the inviter learns nothing of that. */
export function invitedElsewhereMail(email: string, organizationName: string, invitedBy: string): Mail {
  return {
    recipient: email,
    subject: `Invitation to ${oneLine(organizationName)}`,
    body: `${oneLine(invitedBy)} invites you to ${oneLine(organizationName)}.

This address signs in to another organization, and an address signs in to one. To accept, ask for an invitation to another
address of yours.

If you do not expect this, leave it.`,
  };
}

export function passwordResetMail(email: string, link: string): Mail {
  return {
    recipient: email,
    subject: 'Reset your password',
    body: `Somebody asked to reset the password of this address. Your second factor is still needed to sign in.

Choose a new password here. The link works once, within 30 minutes:
${link}

If it was not you, leave this: nothing has changed.`,
  };
}

/** A change of what somebody signs in with. @param what has happened, as a sentence */
export function securityNoticeMail(email: string, what: string, from: string, at: Date): Mail {
  return {
    recipient: email,
    subject: 'A change of your sign-in',
    body: `${what}

When: ${at.toISOString()}
From: ${from}

If it was not you, ask an Owner of your organization to disable your access at once, and reset your password.`,
  };
}

/** Addresses of the dashboard that mails lead to. */
export class DashboardLinks {
  /** @param url of the dashboard's first page */
  constructor(private readonly url: string) {}

  invitation(token: string): string {
    return `${this.url}/invitation/${token}`;
  }

  passwordReset(token: string): string {
    return `${this.url}/password-reset/${token}`;
  }
}
