import type { VNode } from 'preact';
import { MailLink } from '#shared/web/mail/mail-document.js';

const WHY = 'You receive this email because of a notification rule.';

/** Plain-text footer of notification emails. @param url link to unsubscribe without sign-in */
export function textFooter(url: string): string {
  return `${WHY}\nUnsubscribe: ${url}`;
}

export function MailFooter({ url }: { readonly url: string }): VNode {
  return (
    <p style={{ margin: 0 }}>
      {WHY} <MailLink href={url}>Unsubscribe</MailLink>
    </p>
  );
}
