// Urgent notices for the user, above every screen.
import { MessageBanner } from '../platform/notifications/MessageBanner.tsx'
import { PageBanner } from './PageBanner.tsx'
import { PublishedPasswordBanner } from './PublishedPasswordBanner.tsx'

export function Banners() {
  return (
    <>
      <PageBanner />
      <PublishedPasswordBanner />
      <MessageBanner />
    </>
  )
}
