import type { VNode } from 'preact';
import type { Messages } from './messages.js';

export function MerchantBar(props: { name: string; sandbox?: boolean; text: Messages }): VNode {
  const name = props.name;
  const [initial = ''] = name.trim();
  return (
    <header class="bar">
      <span class="initial" aria-hidden="true">
        {initial.toUpperCase()}
      </span>
      <bdi class="name">{name}</bdi>
      {props.sandbox === true && <span class="badge">{props.text.sandbox}</span>}
    </header>
  );
}
