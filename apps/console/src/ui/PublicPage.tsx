// The frame of a page that users see without a sign-in, by a link that they were sent.
import type { ReactNode } from 'react'
import styles from './public-page.module.css'
import { Wordmark } from './Wordmark.tsx'

export function PublicPage({ children }: { children: ReactNode }) {
  return (
    <main className={styles.publicPage}>
      <div className={styles.public}>
        <Wordmark />
        {children}
      </div>
    </main>
  )
}

export function PublicFault({ title, text }: { title: string; text?: string }) {
  return (
    <div role="alert">
      <h1>{title}</h1>
      <p className="quiet">{text}</p>
    </div>
  )
}
