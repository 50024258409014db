import type { Branding } from '#contexts/identity/contract/account-branding.js';
import type { ReceiptMail } from '../../application/receipts/receipt-mail.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { MailButton, MailDocument, MailLink } from '#shared/web/mail/mail-document.js';

export function renderReceiptMail(mail: ReceiptMail, look: Branding): string {
  const { language, merchant: name, subject, paragraphs, link, notes, unsubscribe } = mail;
  const footer = (
    <>
      {notes.map((note) => (
        <p style={{ margin: '0 0 8px' }}>{note}</p>
      ))}
      <MailLink href={unsubscribe.url} look={look}>
        {unsubscribe.label}
      </MailLink>
    </>
  );
  const merchant = { look, origin: new URL(link.url).origin };
  return htmlDocument(
    <MailDocument {...{ language, title: subject, name, merchant, footer }}>
      {paragraphs.map((paragraph) => (
        <p style={{ margin: '0 0 16px' }}>{paragraph}</p>
      ))}
      <MailButton href={link.url} look={look}>
        {link.label}
      </MailButton>
    </MailDocument>,
  );
}
