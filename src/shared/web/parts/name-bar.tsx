import type { VNode } from 'preact';
import type { PageBranding } from '../document/inline-asset.js';

interface NameBarProps {
  readonly name: string;
  readonly branding?: PageBranding | undefined;
  readonly badge?: string | undefined;
}

/** Head of a page: the merchant's name, preceded by its logo or initial. A logo never replaces the name. */
export function NameBar({ name, branding, badge }: NameBarProps): VNode {
  const [initial = ''] = name.trim();
  const logo = branding?.logo;
  return (
    <header class="bar">
      {logo === undefined ? (
        <span class="initial" aria-hidden="true">
          {initial.toUpperCase()}
        </span>
      ) : (
        <img class="logo" src={logo.path} width={logo.width} height={logo.height} alt="" />
      )}
      <bdi class="name">{name}</bdi>
      {badge !== undefined && <span class="badge">{badge}</span>}
    </header>
  );
}
