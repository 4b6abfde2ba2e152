"""Consumer groups: asked, followed, and what their coordinators wrote down."""
