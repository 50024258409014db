import type { ComponentChildren, VNode } from 'preact';

interface ScreenProps {
  readonly name: string;
  readonly title: string;
  /** The title is for those alone who do not see the screen. */
  readonly isUnseen?: boolean;
  readonly children: ComponentChildren;
}

/** One of the till's screens. The script shows it by its name, and its title takes the keyboard's place. */
export function Screen({ name, title, isUnseen = false, children }: ScreenProps): VNode {
  return (
    <section data-screen={name} hidden aria-labelledby={`${name}-title`}>
      <h1 id={`${name}-title`} tabIndex={-1} class={isUnseen ? 'unseen' : undefined}>
        {title}
      </h1>
      {children}
    </section>
  );
}
