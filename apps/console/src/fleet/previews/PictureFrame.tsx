import type { ReactNode } from 'react'
import styles from './previews.module.css'

/** The shape of a picture, regardless of its content. */
export function PictureFrame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.picture} data-part="picture">
      {children}
    </div>
  )
}

/** Text where there is no picture. */
export function PictureWords({ children }: { children: ReactNode }) {
  return (
    <div className={styles.pictureEmpty} data-part="picture-empty">
      {children}
    </div>
  )
}
