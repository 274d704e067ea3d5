import { createStories } from './stories.ts'
import { storyRoutes } from './story-routes.ts'

export function storiesFeature(needs: Parameters<typeof createStories>[0]) {
  const stories = createStories(needs)
  return { face: stories, routes: { stories: storyRoutes(stories) }, start: stories.start }
}
