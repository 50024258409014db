import { roleName, type CollaboratorRole } from '#shared/kernel/dashboard-access.js';
import { collapseToOneLine } from '#shared/kernel/text.js';
import type { Mail } from '../../contract/outgoing-mails.js';

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
    subject: `Invitation to ${collapseToOneLine(organizationName)}`,
    body: `${collapseToOneLine(invitedBy)} invited you to join ${collapseToOneLine(organizationName)} as ${roleName(role)}.

Accept the invitation here. The link works once and expires in 7 days:
${link}

If you did not expect this email, ignore it.`,
  };
}

/** For a person who signs in to another organization. The inviter cannot tell. */
export function otherOrganizationMemberMail(
  email: string,
  organizationName: string,
  invitedBy: string,
): Mail {
  return {
    recipient: email,
    subject: `Invitation to ${collapseToOneLine(organizationName)}`,
    body: `${collapseToOneLine(invitedBy)} invited you to join ${collapseToOneLine(organizationName)}.

This address already signs in to another organization, and each address can sign in to only one. To accept, ask for an
invitation to another address.

If you did not expect this email, ignore it.`,
  };
}

export function passwordResetMail(email: string, link: string): Mail {
  return {
    recipient: email,
    subject: 'Reset your password',
    body: `We received a request to reset the password for this address. You still need your second factor to sign in.

Choose a new password here. The link works once and expires in 30 minutes:
${link}

If this was not you, ignore this email. Nothing has changed.`,
  };
}

export function securityNoticeMail(email: string, what: string, from: string, at: Date): Mail {
  return {
    recipient: email,
    subject: 'Security notice for your sign-in',
    body: `${what}

When: ${at.toISOString()}
From: ${from}

If this was not you, reset your password and ask an Owner of your organization to disable your access immediately.`,
  };
}

export class DashboardLinks {
  constructor(private readonly url: string) {}

  invitation(token: string): string {
    return `${this.url}/invitation/${token}`;
  }

  passwordReset(token: string): string {
    return `${this.url}/password-reset/${token}`;
  }
}
