import type { VNode } from 'preact';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import {
  accentsOf,
  lowestContrastIn,
  MIN_CONTRAST,
  type Theme,
  THEMES,
} from '#shared/web/branding/accents.js';
import { LOGO_HEIGHT, logoSize } from '#shared/web/branding/page-branding.js';
import { t, useTranslator, type Word } from '#shared/web/dashboard/words/text.js';
import type { LogoMetadata } from '#contexts/identity/domain/branding/branding.js';

const BACKGROUND_LABELS = { light: 'On a light background', dark: 'On a dark background' } satisfies Record<
  Theme,
  Word
>;

interface PreviewProps {
  readonly name: string;
  readonly colour: string | null;
  readonly logo: LogoMetadata | null;
}

/** An image, because the content security policy forbids inline styles. */
export function BrandingPreview(props: PreviewProps): VNode {
  const { colour } = props;
  return (
    <>
      <p class="actions">
        <BrandingSample {...props} theme="light" />
        <BrandingSample {...props} theme="dark" />
      </p>
      {colour !== null && (
        <ul>
          <ContrastNote colour={colour} theme="light" />
          <ContrastNote colour={colour} theme="dark" />
        </ul>
      )}
    </>
  );
}

function BrandingSample({ name, colour, logo, theme }: PreviewProps & { theme: Theme }): VNode {
  const words = useTranslator();
  const { ground, ink, ...standard } = THEMES[theme];
  const own = colour === null ? undefined : accentsOf(colour);
  const [fill, text] = [own?.fill.colour ?? standard.accent, own?.fill.text ?? standard.onAccent];
  const accent = own?.[theme].colour ?? standard.accent;
  const width = logo === null ? LOGO_HEIGHT : logoSize(logo).width;
  const [initial = ''] = name.trim();
  return (
    <svg
      width="300"
      height="116"
      viewBox="0 0 300 116"
      role="img"
      aria-label={words(BACKGROUND_LABELS[theme])}
    >
      <rect width="300" height="116" rx="12" fill={ground} />
      <rect x="14" y="12" width={width} height={LOGO_HEIGHT} rx="8" fill={logo === null ? fill : '#ffffff'} />
      {logo === null ? (
        <text x={14 + LOGO_HEIGHT / 2} y="36" text-anchor="middle" font-weight="700" fill={text}>
          {initial.toUpperCase()}
        </text>
      ) : (
        <image href={logo.path} x="16" y="14" width={width - 4} height={LOGO_HEIGHT - 4} />
      )}
      <text x={width + 24} y="36" font-weight="600" fill={ink}>
        {name}
      </text>
      <rect x="14" y="62" width="272" height="40" rx="12" fill={fill} stroke={accent} />
      <text x="150" y="87" text-anchor="middle" font-weight="600" fill={text}>
        {t('Pay {amount}', { amount: '12.50 EUR' })}
      </text>
    </svg>
  );
}

function ContrastNote({ colour, theme }: { colour: string; theme: Theme }): VNode {
  const shown = accentsOf(colour)[theme].colour;
  if (shown === colour)
    return (
      <li>
        {t('{ground}: {colour}, as you chose.', {
          ground: t(BACKGROUND_LABELS[theme]),
          colour: <code {...NOT_TRANSLATED}>{colour}</code>,
        })}
      </li>
    );
  // Rounded down: 4.46 displayed as 4.5 would seem to meet the minimum.
  const rounded = (Math.floor(lowestContrastIn(theme, colour) * 10) / 10).toFixed(1);
  return (
    <li>
      {t(
        '{ground}: buttons use your colour. Text, links and outlines use {shown}, because {colour} has a contrast of {contrast} and text needs {least}.',
        {
          ...{ ground: t(BACKGROUND_LABELS[theme]), contrast: rounded, least: String(MIN_CONTRAST) },
          ...{
            shown: <code {...NOT_TRANSLATED}>{shown}</code>,
            colour: <code {...NOT_TRANSLATED}>{colour}</code>,
          },
        },
      )}
    </li>
  );
}
