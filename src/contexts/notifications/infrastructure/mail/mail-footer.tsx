import type { VNode } from 'preact';
import { MailLink } from '#shared/web/mail/mail-document.js';

const REASON_FOR_MAIL = 'You receive this email because of a notification rule.';

export function textFooter(url: string): string {
  return `${REASON_FOR_MAIL}\nUnsubscribe: ${url}`;
}

export function MailFooter({ url }: { readonly url: string }): VNode {
  return (
    <p style={{ margin: 0 }}>
      {REASON_FOR_MAIL} <MailLink href={url}>Unsubscribe</MailLink>
    </p>
  );
}
