import { notificationReaderRoutes, notificationRoutes } from './notification-routes.ts'
import { createNotifications } from './notifications.ts'

export function notificationsFeature(needs: Parameters<typeof createNotifications>[0]) {
  const notifications = createNotifications(needs)
  return {
    face: notifications,
    routes: {
      notifications: notificationRoutes(notifications),
      client: notificationReaderRoutes(notifications),
    },
  }
}
