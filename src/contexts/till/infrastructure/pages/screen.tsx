import type { ComponentChildren, VNode } from 'preact';

interface ScreenProps {
  readonly name: string;
  readonly title: string;
  /** Hides the title from sighted users. */
  readonly isUnseen?: boolean;
  readonly children: ComponentChildren;
}

/** A screen of the till. The script opens it by name and moves the keyboard focus to its title. */
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
