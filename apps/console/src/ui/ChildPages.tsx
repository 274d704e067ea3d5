// A screen that is one of several under the same item of the menu: their names stand above it.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface ChildPagesProps {
  label: string
  pages: readonly { path: string; title: string; isShown: boolean }[]
  children: ReactNode
}

export function ChildPages({ label, pages, children }: ChildPagesProps) {
  return (
    <div className="child-pages">
      <nav aria-label={label}>
        {pages.map(({ path, title, isShown }) => (
          <Link
            key={path}
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
