import type { ComponentChildren, VNode } from 'preact';
import { accentsOf, THEMES } from '../branding/accents.js';
import { type BrandAppearance, logoSize } from '../branding/page-branding.js';
import { NOT_TRANSLATED } from '../parts/detail-item.js';

// Mails use the light theme of the pages with literal colours. Mail programs do not support CSS variables or style
// sheets, and derive dark colours themselves.
const { ground, card, ink, line, accent, onAccent } = THEMES.light;
export const MAIL_MUTED_COLOUR = THEMES.light.soft;
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";

interface MailDocumentProps {
  readonly language?: string;
  readonly title: string;
  /** The name displayed above the title. */
  readonly name: string;
  /** Present in mails to the merchant's payers. */
  readonly merchant?: MailMerchant;
  readonly children: ComponentChildren;
  /** Why the reader gets the mail, and how to unsubscribe. */
  readonly footer: ComponentChildren;
}

/** Only inline styles. Loads nothing except the merchant's logo. */
export function MailDocument(props: MailDocumentProps): VNode {
  const { language = 'en', title, name, merchant, children, footer } = props;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        {/* Keeps mail programs from turning addresses, amounts and ids into telephone or calendar links. */}
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no" />
        <title>{title}</title>
      </head>
      <body style={{ margin: 0, padding: 0, background: ground, color: ink }}>
        <div style={{ maxWidth: '600px', margin: '0 auto', padding: '24px 12px', font: `16px/1.45 ${FONT}` }}>
          <MailHead name={name} merchant={merchant} />
          <div
            style={{
              background: card,
              border: `1px solid ${line}`,
              borderRadius: '12px',
              padding: '20px',
            }}
          >
            <h1 style={{ margin: '0 0 16px', fontSize: '20px', lineHeight: 1.3 }}>{title}</h1>
            {children}
          </div>
          <div style={{ padding: '16px 4px', color: MAIL_MUTED_COLOUR, fontSize: '14px' }}>{footer}</div>
        </div>
      </body>
    </html>
  );
}

interface MailLinkProps {
  readonly href: string;
  readonly look?: BrandAppearance;
  readonly children: ComponentChildren;
}

export function MailLink({ href, look, children }: MailLinkProps): VNode {
  return (
    <a href={href} style={{ color: accentOf(look).colour }}>
      {children}
    </a>
  );
}

export function MailButton({ href, look, children }: MailLinkProps): VNode {
  const { colour, text } = accentOf(look);
  const style = {
    display: 'inline-block',
    padding: '10px 16px',
    borderRadius: '8px',
    background: colour,
    color: text,
    fontWeight: 600,
    textDecoration: 'none',
  };
  return (
    <p style={{ margin: '16px 0 0' }}>
      <a href={href} style={style}>
        {children}
      </a>
    </p>
  );
}

function accentOf({ colour }: BrandAppearance = {}): { colour: string; text: string } {
  return colour === undefined ? { colour: accent, text: onAccent } : accentsOf(colour).light;
}

interface MailTableProps {
  /** Column titles. A title that starts with `#` marks a column of numbers, which are right-aligned and never wrap. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}

export function MailTable({ columns, rows }: MailTableProps): VNode {
  const cell = (column: number) => ({
    padding: '6px 8px 6px 0',
    borderBottom: `1px solid ${line}`,
    verticalAlign: 'top',
    textAlign: columns[column]!.startsWith('#') ? ('right' as const) : ('left' as const),
    ...(columns[column]!.startsWith('#')
      ? { whiteSpace: 'nowrap' as const }
      : { overflowWrap: 'anywhere' as const }),
  });
  return (
    <table style={{ width: '100%', borderCollapse: 'collapse', fontSize: '14px', margin: '0 0 16px' }}>
      <thead>
        <tr>
          {columns.map((title, column) => (
            <th scope="col" style={{ ...cell(column), color: MAIL_MUTED_COLOUR, fontWeight: 400 }}>
              {title.replace(/^#/, '')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((content, column) => (
              <td style={cell(column)} {...(columns[column]!.startsWith('#') && NOT_TRANSLATED)}>
                {content}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface MailMerchant {
  readonly look: BrandAppearance;
  /** Origin of the hosted pages, without a trailing slash. Mail programs load the logo from there. */
  readonly origin: string;
}

interface MailHeadProps {
  readonly name: string;
  readonly merchant: MailMerchant | undefined;
}

/** Mail programs require inline styles and sizes. */
export function MailHead({ name, merchant }: MailHeadProps): VNode {
  const logo = merchant?.look.logo;
  return (
    <p style={{ margin: '0 0 12px', fontWeight: 600 }}>
      {logo !== undefined && (
        <img
          src={merchant!.origin + logo.path}
          {...logoSize(logo)}
          alt=""
          style={{ verticalAlign: 'middle', marginRight: '10px', background: '#ffffff' }}
        />
      )}
      <bdi>{name}</bdi>
    </p>
  );
}
