//! What is submitted to a session.

use attractor_llm::{ContentPart, MediaContent, Message, Role};

/// What a message says where images are left out.
pub(super) const LEFT_OUT: &str = "\n[the image is left out: this model takes no images]";

/// A text for the model, and the images that belong to it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionInput {
    /// The text.
    pub text: String,
    /// The images, which the model sees before the text.
    pub images: Vec<MediaContent>,
}

impl SessionInput {
    /// The message for the model. One that is known to take no images gets a note: its provider would refuse the request.
    pub(super) fn into_message(mut self, takes_images: bool) -> Message {
        if !takes_images && !self.images.is_empty() {
            self.images.clear();
            self.text.push_str(LEFT_OUT);
        }
        if self.images.is_empty() {
            return Message::user(self.text);
        }
        let images = self.images.into_iter().map(ContentPart::Image);
        let parts = images.chain([ContentPart::text(self.text)]);
        Message::new(Role::User, parts.collect())
    }
}

impl From<String> for SessionInput {
    fn from(text: String) -> Self {
        Self {
            text,
            images: Vec::new(),
        }
    }
}

impl From<&str> for SessionInput {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}
