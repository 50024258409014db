import { invalidField, type DomainError } from '#shared/kernel/domain-error.js';
import { parseEmail } from '#shared/kernel/email-address.js';
import { parseHttpsUrl, requireText } from '#shared/kernel/text.js';

export const MAX_DISPLAY_NAME_LENGTH = 200;
export const MAX_TAX_ID_LENGTH = 64;
export const MAX_SUPPORT_LENGTH = 254;
export const MAX_ADDRESS_LINES = 6;
export const MAX_ADDRESS_LINE_LENGTH = 100;

export interface BrandingTexts {
  readonly displayName: string | null;
  readonly taxId: string | null;
  readonly postalAddress: string | null;
  readonly colour: string | null;
  /** Where payers get help: an email address or an https URL. */
  readonly support: string | null;
}

export type BrandingInput = { readonly [Field in keyof BrandingTexts]?: string | undefined };

export function validateBrandingTexts(input: BrandingInput): BrandingTexts {
  return {
    displayName: readLine('display_name', input.displayName, MAX_DISPLAY_NAME_LENGTH),
    taxId: readLine('tax_id', input.taxId, MAX_TAX_ID_LENGTH),
    postalAddress: readPostalAddress(input.postalAddress),
    colour: readColour(input.colour),
    support: readSupport(input.support),
  };
}

function readPostalAddress(text = ''): string | null {
  const lines = text.split(/\r\n|\r|\n/).map((typed) => typed.trim());
  const filled = lines.filter((each) => each !== '');
  if (filled.length === 0) return null;
  if (filled.length > MAX_ADDRESS_LINES)
    throw invalidField('postal_address', 'lines', `must have at most ${MAX_ADDRESS_LINES} lines.`);
  return filled.map((each) => readLine('postal_address', each, MAX_ADDRESS_LINE_LENGTH)).join('\n');
}

/** Any color, because pages adjust its contrast (`accentsOf`). */
function readColour(text = ''): string | null {
  const colour = text.trim().toLowerCase();
  if (colour === '') return null;
  if (!/^#[0-9a-f]{6}$/.test(colour))
    throw invalidField('colour', 'colour', 'must be a hexadecimal color, such as #1d4ed8.');
  return colour;
}

function readSupport(text = ''): string | null {
  const support = text.trim();
  if (support === '') return null;
  const isUrl = support.length <= MAX_SUPPORT_LENGTH && parseHttpsUrl(support) !== undefined;
  const contact = isUrl ? support : parseEmail(support);
  if (contact === undefined)
    throw invalidField(
      'support',
      'contact',
      'must be an email address or an https:// URL, such as help@shop.example.',
    );
  return contact;
}

/** Payers who paid wrongly ask there, so the first real payment must not precede it. */
export function supportContactRequiredError(): DomainError {
  return invalidField(
    'support',
    'required',
    'is required for production. An Owner or Admin sets the support contact of the organization at /app/branding: ' +
      'an email address or an https:// URL.',
  );
}

function readLine(field: string, text: string | undefined, max: number): string | null {
  if (text === undefined || text.trim() === '') return null;
  return requireText(field, text, max);
}
