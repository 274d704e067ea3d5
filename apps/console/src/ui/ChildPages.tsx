// A screen that is one of several under the same item of the menu: their names are above it.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface ChildPagesProps {
  label: string
  pages: readonly { path: string; title: string; isShown: boolean }[]
  children: ReactNode
}

/** On a phone the names are in one line, which may be wider than the screen. */
const showName = (link: HTMLAnchorElement | null) =>
  link?.scrollIntoView({ block: 'nearest', inline: 'center' })

export function ChildPages({ label, pages, children }: ChildPagesProps) {
  return (
    <div className="child-pages">
      <nav aria-label={label}>
        {pages.map(({ path, title, isShown }) => (
          <Link
            key={path}
            ref={isShown ? showName : undefined}
            to={path}
            activeOptions={{ exact: true }}
            aria-current={isShown ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  )
}
